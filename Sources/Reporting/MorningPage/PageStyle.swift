/// The look of the morning page. Colours are named once, for day and night; paper is always day.
enum PageStyle {
    static let sheet: StaticString = """
        :root {
          color-scheme: light dark;
          --paper: #fbfaf7; --card: #ffffff; --ink: #1c2430; --soft: #5a6472; --line: #dfe0dc; --ground: #eef1ef;
          --good: #1b7345; --kept: #96560a; --bad: #b4232a; --quiet: #5a6472;
          --good-fill: #d9ecdf; --kept-fill: #f6e6cc; --bad-fill: #f8dbd9; --quiet-fill: #e9ebee;
          --queued: #b9bec6; --asking: #7d8ba0; --serving: #b3c3d9; --fetching: #3f6fb5; --making: #274b80;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14181d; --card: #1b2027; --ink: #e7e9ec; --soft: #a2abb8; --line: #323943; --ground: #1f262d;
            --good: #6fcf97; --kept: #f0b35c; --bad: #ff8b85; --quiet: #a2abb8;
            --good-fill: #1d3a2a; --kept-fill: #43331a; --bad-fill: #4a2224; --quiet-fill: #2a3038;
            --queued: #545d69; --asking: #8592a5; --serving: #3d4f69; --fetching: #6d9be0; --making: #b4cdf5;
          }
        }
        * { box-sizing: border-box; }
        html { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
        body { margin: 0 auto; max-width: 72rem; padding: 0 1.25rem 3rem; background: var(--paper); color: var(--ink);
          font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
        header { margin: 1.5rem 0 2rem; padding: 1.25rem 1.5rem 1.1rem; border-radius: 10px; border-left: 8px solid var(--tone);
          background: var(--fill); }
        header p { margin: 0; }
        .name { color: var(--soft); font-weight: 600; letter-spacing: .01em; }
        h1 { margin: .15rem 0 .5rem; font-size: clamp(1.4rem, 1rem + 2vw, 2.1rem); line-height: 1.2; font-weight: 700;
          letter-spacing: -.015em; text-wrap: balance; }
        h1 .sign { color: var(--tone); }
        h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem; letter-spacing: -.005em; }
        h3 { margin: 1rem 0 .25rem; font-size: 1rem; }
        p { margin: .4rem 0; }
        code { font: .86em ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; }
        .good { --tone: var(--good); --fill: var(--good-fill); }
        .kept { --tone: var(--kept); --fill: var(--kept-fill); }
        .bad { --tone: var(--bad); --fill: var(--bad-fill); }
        .quiet { --tone: var(--quiet); --fill: var(--quiet-fill); }
        .badge { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; background: var(--fill); color: var(--tone);
          font-size: .84rem; font-weight: 600; white-space: nowrap; }

        .todo { margin: 0; padding: 0; list-style: none; counter-reset: todo; display: grid; gap: .75rem; }
        .todo li { position: relative; padding: .8rem 1rem .8rem 3.2rem; border: 1px solid var(--line); border-radius: 8px;
          background: var(--card); counter-increment: todo; }
        .todo li::before { content: counter(todo); position: absolute; left: 1rem; top: .85rem; width: 1.5rem; height: 1.5rem;
          border-radius: 50%; background: var(--bad-fill); color: var(--bad); font-size: .85rem; font-weight: 700;
          line-height: 1.5rem; text-align: center; }
        .todo p { margin: 0; color: var(--soft); }
        .todo p strong { color: var(--ink); }
        .todo .next { margin-bottom: .2rem; color: var(--ink); font-weight: 600; }

        .overview > h2 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
        .columns { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.25rem; margin-top: 2rem; }
        .columns > :only-child { grid-column: 1 / -1; }
        figure { margin: 0; }
        .map svg { display: block; width: 100%; border: 1px solid var(--line); border-radius: 8px; }
        .map text { font-size: 14px; fill: var(--ink); text-anchor: middle; }
        .ground { fill: var(--ground); }
        .graticule line { stroke: var(--line); stroke-width: 1; }
        .map .graticule text { font-size: 9.5px; fill: var(--soft); text-anchor: start; }
        .area path, .area circle { fill: var(--fill); stroke: var(--tone); stroke-width: 1.6; stroke-linejoin: round;
          fill-opacity: .8; }
        .area.kept path { fill: url(#hatch-kept); }
        .area.bad path { fill: url(#hatch-bad); }
        pattern .fill { fill: var(--fill); }
        pattern .stroke { stroke: var(--tone); stroke-width: 1.5; stroke-opacity: .55; }
        .map .name { font-weight: 600; paint-order: stroke; stroke: var(--ground); stroke-width: 3.5px; stroke-linejoin: round; }
        .scale path { fill: none; stroke: var(--soft); stroke-width: 1.4; }
        .map .scale text { font-size: 10.5px; fill: var(--soft); }
        figcaption { margin-top: .5rem; color: var(--soft); font-size: .9rem; }
        .legend { display: flex; flex-wrap: wrap; gap: .3rem .8rem; margin: 0; padding: 0; list-style: none; }
        .tiles { display: grid; grid-template-columns: 1fr 1fr; grid-auto-rows: minmax(0, 1fr); gap: 1px; margin: 0 0 auto;
          border: 1px solid var(--line); border-radius: 8px; background: var(--line); overflow: hidden; }
        .tiles > div { display: flex; flex-direction: column-reverse; justify-content: center; padding: .9rem 1rem;
          background: var(--card); }
        .tiles > div:last-child:nth-child(odd) { grid-column: 1 / -1; }
        .tiles dt { color: var(--soft); font-size: .85rem; line-height: 1.3; }
        .tiles dd { margin: 0; font-size: 1.3rem; font-weight: 650; line-height: 1.3; color: var(--tone, var(--ink)); }

        .wide { overflow-x: auto; }
        .wide:focus-visible { outline: 2px solid var(--fetching); outline-offset: 2px; }
        table { width: 100%; border-collapse: collapse; font-size: .92rem; overflow-wrap: break-word; }
        caption { padding-bottom: .5rem; color: var(--soft); text-align: left; }
        th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
        thead th { border-bottom: 2px solid var(--line); color: var(--soft); font-size: .84rem; font-weight: 600; }
        tbody th { font-weight: 500; }
        .number { text-align: right; white-space: nowrap; }
        .layers .area th, .layers .area td { padding-top: 1rem; border-bottom-color: var(--soft); font-weight: 650; }
        .layers .area .why { color: var(--soft); font-weight: 400; }
        .layers [scope="row"] { min-width: 10rem; padding-left: 1.1rem; }
        .path { display: block; font-size: .84rem; line-height: 1.2; }
        .crowded .area path, .crowded .area circle { stroke-width: .9; }
        .crowded .name { font-size: 12px; }
        .layers .why { min-width: 14rem; color: var(--soft); }
        .groups { color: var(--soft); font-weight: 400; }
        .step { display: block; color: var(--ink); }

        .paper { display: none; }
        details { margin-top: 1.25rem; }
        summary { padding: .7rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); font-weight: 600;
          cursor: pointer; }
        details[open] > summary { margin-bottom: 1rem; }
        summary:focus-visible { outline: 2px solid var(--fetching); outline-offset: 2px; }

        .changes { margin: 0 0 1rem; padding-left: 1.1rem; }
        .timeline { margin-bottom: 1.5rem; }
        .timeline svg { display: block; overflow: visible; }
        .timeline text { font-size: 12px; fill: var(--ink); }
        .axis line { stroke: var(--line); stroke-width: 1; }
        .timeline .axis text { fill: var(--soft); font-size: 11px; }
        .timeline .bad text { fill: var(--bad); font-weight: 600; }
        .timeline .kept text { fill: var(--kept); font-weight: 600; }
        .timeline rect, .key { fill: var(--shade); background: var(--shade); }
        .queued { --shade: var(--queued); }
        .asking { --shade: var(--asking); }
        .serving { --shade: var(--serving); }
        .fetching { --shade: var(--fetching); }
        .making { --shade: var(--making); }
        .all { --shade: var(--tone); }
        .bad .making { --shade: var(--bad); }
        .timeline .all { stroke: var(--paper); stroke-width: 1; }
        .key { display: inline-block; width: 1.5rem; height: .55rem; border-radius: 2px; }
        footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .84rem; }

        @media (max-width: 44rem) {
          body { padding: 0 .9rem 2rem; }
          header { margin: .9rem 0 1.5rem; padding: 1rem; border-left-width: 6px; }
          .columns { grid-template-columns: minmax(0, 1fr); }
          .todo li { padding: .8rem .9rem; }
          .todo li::before { position: static; display: block; margin-bottom: .4rem; }
          .layers, .layers caption, .layers tbody, .layers tr { display: block; }
          .layers thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          .layers tr { padding: .6rem .1rem; border-bottom: 1px solid var(--line); }
          .layers tr.area { margin-top: 1.2rem; border-bottom: 2px solid var(--soft); }
          .layers tr > * { border: 0; padding: .05rem 0; }
          .wide table:not(.layers) { min-width: 38rem; }
          .layers [scope="row"], .layers .area th, .layers .area td { min-width: 0; padding: .05rem 0; }
          .layers th { display: block; font-size: 1rem; font-weight: 600; }
          .layers td { display: inline-block; margin-right: 1rem; font-size: .9rem; text-align: left; }
          .layers td[data-title]:not([data-title="State"])::before { content: attr(data-title) " "; color: var(--soft); }
          .layers td.none { display: none; }
          .layers td.why { display: block; margin-right: 0; min-width: 0; }
        }
        @media print {
          :root {
            color-scheme: light;
            --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --ground: #f5f5f5;
            --good: #145c36; --kept: #7a4500; --bad: #9c1c22; --quiet: #444;
            --good-fill: #e6f2ea; --kept-fill: #f8eedd; --bad-fill: #fae6e5; --quiet-fill: #eee;
            --queued: #b9bec6; --asking: #7d8ba0; --serving: #b3c3d9; --fetching: #3f6fb5; --making: #274b80;
          }
          @page { margin: 14mm; }
          html { font-size: 10.5px; }
          body { max-width: none; padding: 0 2px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          .wide { overflow: visible; }
          thead { display: table-header-group; }
          tr, .todo li, figure { break-inside: avoid; }
          h2, .layers .area { break-after: avoid; }
          .brief tr:not(.area) { display: none; }
          .layers .brief .area th, .layers .brief .area td { padding-top: .4rem; }
          .paper { display: inline; }
          details::details-content { content-visibility: visible; }
          footer { margin-top: .5rem; padding-top: .4rem; break-inside: avoid; }
        }

        """
}
