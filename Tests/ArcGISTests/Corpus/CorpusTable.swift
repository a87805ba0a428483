/// What each recorded document is to give, a line a file. The lines were made by a Python script of its own reading of the JSON
/// (jobs: by eye), not by the readers that they judge. Rows that
/// a page has twice count once (`carson-10.0-page.json`). Errors and web maps have their tables in `ErrorTests` and `WebMapTests`.
enum CorpusTable {
    static let featureServers = """
        airports-sync-enabled.json: version 10.41, 2 layers, 0 tables, sync yes
        all-layers-and-tables.json: version -, 2 layers, 1 tables, sync no
        catalog-too-old-9.0.json: version 9, 1 layers, 0 tables, sync no
        collector-sync-template.json: version 10.3, 0 layers, 0 tables, sync yes
        community-addressing-no-delete.json: version 10.71, 1 layers, 0 tables, sync no
        damage-assessment-wkt-sr.json: version 10.71, 1 layers, 0 tables, sync no
        enterprise-11.2-district-border.json: version 11.2, 1 layers, 0 tables, sync no
        koop-server-template.json: version -, 0 layers, 0 tables, sync no
        koop-two-layers-one-table.json: version -, 2 layers, 1 tables, sync no
        mapfeatureserver-cyrillic.json: version 10.11, 4 layers, 0 tables, sync no
        online-11.5-13-layers.json: version 11.5, 13 layers, 0 tables, sync no
        redlands-emergency-editable.json: version 10.71, 3 layers, 0 tables, sync no
        rest-client-definition-11.3.json: version 11.3, 2 layers, 0 tables, sync no
        rest-js-birds-10.21.json: version 10.21, 3 layers, 0 tables, sync no
        runtime-geodatabase-service-item.json: version -, 7 layers, 0 tables, sync yes
        solutions-all-layers-8.json: version -, 8 layers, 0 tables, sync no
        solutions-view-updatable-no-layers-key.json: version 10.61, 0 layers, 0 tables, sync no
        tallypad-service-definition-139kB.json: version 12, 2 layers, 5 tables, sync yes
        utility-network-14-layers-2-tables.json: version 10.71, 14 layers, 2 tables, sync no
        victoria-10.3.json: version 10.3, 1 layers, 0 tables, sync no
        """

    static let layers = """
        act-vegmap-wkid7855-tiles-pbf.json: Feature Layer, Polygon, 34 fields, OBJECTID, GlobalID, attachments no, 0 relationships
        airports-10.41-sync-layer.json: Feature Layer, Point, 12 fields, FID, GlobalID, attachments no, 0 relationships
        audit-missing-pagination-flag.json: Feature Layer, -, 1 fields, OBJECTID, -, attachments no, 0 relationships
        audit-pagination-false.json: Feature Layer, -, 1 fields, OBJECTID, -, attachments no, 0 relationships
        bicycle-vicgrid-102171.json: Feature Layer, Polyline, 17 fields, OBJECTID, -, attachments no, 0 relationships
        borisbikes-hosted-layer.json: Feature Layer, Point, 15 fields, FID, GlobalID, attachments no, 0 relationships
        borisbikes-related-table.json: Table, -, 3 fields, OBJECTID, -, attachments no, 1 relationships
        carson-10.0.json: Feature Layer, Point, 19 fields, OBJECTID, -, attachments no, 0 relationships
        china-layer-c.json: 要素图层, Polyline, 25 fields, OBJECTID, -, attachments no, 0 relationships
        collector-grazing-permittees-table.json: Table, -, 12 fields, OBJECTID, GlobalID, attachments no, 2 relationships
        colorado-surface-no-oid.json: Feature Layer, Polygon, 47 fields, OBJECTID, -, attachments no, 0 relationships
        columbia-10.01-dotted-sde-names.json: Feature Layer, Point, 27 fields, OBJECTID, -, attachments no, 0 relationships
        cullman-table-maxrecord-100000.json: Table, -, 40 fields, OBJECTID, GlobalID, attachments no, 0 relationships
        dc-metro-no-paging.json: Feature Layer, Point, 11 fields, OBJECTID_1, -, attachments no, 0 relationships
        doc-sample-10.8-fc1.json: Feature Layer, Polygon, 8 fields, OBJECTID, -, attachments no, 0 relationships
        doc-sample-utility-network-layer.json: Utility Network Layer, -, 0 fields, -, -, attachments no, 0 relationships
        enterprise-11.2-borderdistrict-oid12.json: Feature Layer, Polygon, 7 fields, OBJECTID_12, -, attachments no, 0 relationships
        esri-test-10.3-facilities-4326.json: Feature Layer, Point, 6 fields, objectid, globalid, attachments yes, 0 relationships
        fulcrum-emulated-11.2.json: Feature Layer, Point, 9 fields, OBJECTID, -, attachments no, 0 relationships
        hosted-10.3-fid.json: Feature Layer, Point, 7 fields, FID, -, attachments no, 0 relationships
        indot-rail-maxrecord-100.json: Feature Layer, Point, 4 fields, OBJECTID, -, attachments no, 0 relationships
        kent-wkt-extent.json: Feature Layer, Polygon, 15 fields, OBJECTID, -, attachments no, 0 relationships
        kharkiv-cyrillic-wkid28467.json: Feature Layer, Point, 17 fields, OBJECTID, -, attachments no, 0 relationships
        koop-10.21-schools.json: Feature Layer, Point, 7 fields, id, -, attachments no, 0 relationships
        koop-11.2-table-defaults.json: Table, -, 0 fields, OBJECTID, -, attachments no, 0 relationships
        lancaster-102729.json: Feature Layer, Point, 12 fields, OBJECTID, -, attachments no, 0 relationships
        lga-415-fields.json: Feature Layer, Polygon, 415 fields, OBJECTID, -, attachments no, 0 relationships
        lines-many-symbols.json: Feature Layer, Polyline, 4 fields, ObjectId, -, attachments no, 0 relationships
        mapfeatureserver-cyrillic-layer0.json: Feature Layer, Point, 8 fields, gid, -, attachments no, 0 relationships
        mapserver-10.04-layer-31.json: Feature Layer, Point, 18 fields, OBJECTID, -, attachments no, 0 relationships
        mapserver-10.71-group-layer.json: Group Layer, -, 0 fields, -, -, attachments no, 0 relationships
        online-11.2-national-register.json: Feature Layer, Point, 13 fields, OBJECTID_1, -, attachments no, 0 relationships
        online-11.5-parcels-parks.json: Feature Layer, Polygon, 43 fields, FID, -, attachments no, 0 relationships
        online-11.5-points.json: Feature Layer, Point, 18 fields, FID, GlobalID, attachments no, 0 relationships
        online-11.5-str-licenses.json: Feature Layer, Point, 10 fields, OBJECTID, -, attachments no, 0 relationships
        opensphere-cities-10.31.json: Feature Layer, Point, 31 fields, OBJECTID, -, attachments no, 0 relationships
        polk-10.22-58-fields.json: Feature Layer, Point, 58 fields, OBJECTID, -, attachments no, 0 relationships
        server-10.0-fire-perimeter.json: Feature Layer, Polygon, 3 fields, objectid, -, attachments no, 0 relationships
        shapefile-analyse-layer-maxrecord-minus1.json: Table, Point, 54 fields, -, -, attachments no, 0 relationships
        terria-parks-view-lowercase-fid.json: Feature Layer, Polygon, 4 fields, fid, -, attachments no, 0 relationships
        troy-mapserver-layer-2.json: Feature Layer, Polygon, 14 fields, OBJECTID, -, attachments no, 0 relationships
        tuolumne-10.11.json: Feature Layer, Polygon, 28 fields, SHAPE.fid, -, attachments no, 0 relationships
        utility-network-501-water-device.json: Feature Layer, Point, 47 fields, objectid, globalid, attachments no, 2 relationships
        washington-77-fields.json: Feature Layer, Polygon, 77 fields, OBJECTID_1, -, attachments no, 0 relationships
        water-abandoned-points.json: Feature Layer, Point, 10 fields, objectid, -, attachments no, 0 relationships
        """

    static let queries = """
        act-vegmap-tile-query.pbf: refused
        arcpbf-big-pnts.pbf: refused
        arcpbf-count.pbf: refused
        arcpbf-ids.pbf: refused
        arcpbf-multipatch.pbf: refused
        arcpbf-multipoint.pbf: refused
        arcpbf-pnts.pbf: refused
        arcpbf-small-lines.pbf: refused
        arcpbf-small-table.pbf: refused
        borisbikes-exceeded.json: 1 rows, Polygon, more yes
        carson-10.0-ids.json: 100 ids
        carson-10.0-page.json: 5 rows, Point, more no
        carson-count.json: count 30551
        chicago-count.json: count 0
        cook-9.3-answers-count-with-features.json: 500 rows, Polygon, more no
        cook-9.3-page-partial.json: 2 rows, Point, more no
        cullman-table-page.json: 5 rows, -, more no
        dates-before-1970-and-parse-trouble.json: 120 rows, Point, more no
        doc-sample-point-linestring.json: 3 rows, Polygon, more no
        empty-but-fields.json: 0 rows, Point, more no
        empty-features-fields.json: 0 rows, Polyline, more no
        enterprise-11.2-polygon.json: 1 rows, Polygon, more no
        esri-test-1000-ids.json: 1000 ids
        esri-test-1000.json: 1000 rows, Point, more no
        exceeded-one-feature.json: 1 rows, Polyline, more no
        exceeded-short-page.json: 2 rows, Point, more yes
        exceeded-with-empty-features.json: refused
        featureservice-count.json: count 82
        featureservice-countfailedpaging.json: count 15592
        featureservice-features-empty.json: refused
        featureservice-ids10.0.json: 6 ids
        featureservice-idsstatsfail.json: 3346 ids
        featureservice-page.json: 1000 rows, Point, more yes
        featureservice-stats.json: 1 rows, Point, more no
        featureservice-statscaps.json: 1 rows, Point, more no
        field-polygons-10.x.json: 6 rows, Polygon, more no
        kent-ids.json: 15 ids
        kent-page.json: 15 rows, Polygon, more no
        kharkiv-cyrillic.json: 1 rows, Point, more no
        kharkiv-ids.json: 1 ids
        lancaster-page-exceeded.json: 30 rows, Point, more yes
        lancaster-probe-exceeded.json: 1 rows, Point, more yes
        mapfeatureserver-1.json: 1 rows, Point, more no
        mapfeatureserver-lines.json: 16 rows, Polyline, more no
        null-polyline.json: 1 rows, Polyline, more no
        online-geojsonlinehaszcrs4326.geojson: 3 rows, -, more no
        online-geojsonlineresponse.geojson: 1 rows, -, more no
        online-geojsonpointresponse.geojson: 1 rows, -, more no
        online-geojsonpolygonresponse.geojson: 1 rows, -, more no
        online-line-m.json: 4 rows, Polyline, more no
        online-line-z.json: 3 rows, Polyline, more no
        online-lines.json: 1 rows, Polyline, more yes
        online-maritalstatusboundariesresponse.pbf: refused
        online-pbflinehasm.pbf: refused
        online-pbflinehaszm.pbf: refused
        online-pbflineresponse.pbf: refused
        online-pbfnoobjectidfieldresponse.pbf: refused
        online-pbfpointhasz.pbf: refused
        online-pbfpointresponse.pbf: refused
        online-pbfpointresponsecrs4326.pbf: refused
        online-pbfpolygonhaszm.pbf: refused
        online-pbfpolygonpage1.pbf: refused
        online-pbfpolygonpage6partial.pbf: refused
        online-pbfpolygonresponse.pbf: refused
        online-pbfwithdomainresponse.pbf: refused
        online-point-m.json: 5 rows, Point, more no
        online-point-zm.json: 3 rows, Point, more no
        online-points-exceeded.json: 1 rows, Point, more yes
        online-polygon-m.json: 4 rows, Polygon, more no
        online-polygon-zm.json: 4 rows, Polygon, more no
        online-polygons.json: 1 rows, Polygon, more yes
        polk-page.json: 10 rows, Point, more no
        polk-statistics.json: 1 rows, -, more no
        quiz-questions-hosted.json: 6 rows, Point, more no
        sentinel2-catalog.json: 10 rows, -, more no
        solutions-table-query.json: 3 rows, -, more no
        tuolumne-count.json: count 469
        tuolumne-ids-without-field-name.json: 15 ids
        tuolumne-page.json: 15 rows, Polygon, more no
        tuolumne-statistics.json: 1 rows, -, more no
        uk-empty.json: 0 rows, Point, more no
        uk-multipoint.json: 8 rows, Multipoint, more no
        uk-polygon.json: 1 rows, Polygon, more no
        washington-parcels-exceeded.json: 10 rows, Polygon, more yes
        water-network-13.json: 13 rows, Point, more no
        water-network-page-a-exceeded.json: 11 rows, Point, more yes
        water-network-page-b.json: 2 rows, Point, more no
        water-network-page-c-empty.json: 0 rows, Point, more no
        wildfire-points.json: 3 rows, Point, more no
        """

    static let items = """
        classic-feature-service.json: 2e3e5cbe2c8d4dc48a419b59bdb7f611, Feature Service, FeatureServer
        collector-portals-self.json: KOH6W4WICH5gzytg, -, -
        collector-search-web-maps.json: -, -, -
        enterprise-administrative-report-1.json: 500173096d514ec796c986ad17d9343c, Administrative Report, -
        enterprise-csv-1.json: 11989605c0eb46eb9e258a43ba5e0512, CSV, -
        enterprise-dashboard-1.json: 40ed7049f3b148bb9974cbd0eb638835, Dashboard, -
        enterprise-desktop-application-template-1.json: 11da76e2e596465fb114185c36f8e843, Desktop Application Template, -
        enterprise-feature-service-1.json: 36e80dcece9249cb8c393b7d1431d60f, Feature Service, FeatureServer
        enterprise-feature-service-2.json: 589d536dc1c3423582ab93eb366dc8b7, Feature Service, FeatureServer
        enterprise-feature-service-3.json: 2987d671071046a084d8b16c0c0a64fe, Feature Service, FeatureServer
        enterprise-feature-service-4.json: c4ecabde5f7a41a8b946a920020e5df2, Feature Service, FeatureServer
        enterprise-feature-service-5.json: 02770b9691564731927f29df64d2ebbd, Feature Service, FeatureServer
        enterprise-geojson-1.json: 229afdd4c5ee4d5ab334f5c50189ac61, GeoJson, -
        enterprise-hub-page-1.json: e45cc2ba087b41ef820cb305f4358f46, Hub Page, -
        enterprise-hub-site-application-1.json: d61fcc28f4b24a4d93e90b3d2a8965e8, Hub Site Application, -
        enterprise-image-1.json: 84c7d8e4376341c1b7ae90e9e9afbf24, Image, -
        enterprise-map-service-2.json: 09b1cf60f4f54c0a9f47979d57cc1fd8, Map Service, MapServer
        enterprise-map-service-3.json: 46054e9b7b5b4ecf9f2705247d52a0f9, Map Service, MapServer
        enterprise-microsoft-excel-1.json: 367b99364c3c4707b2c06819ac8f92a6, Microsoft Excel, -
        enterprise-microsoft-word-1.json: b13e9bcf085945af8beb0b45451e455e, Microsoft Word, -
        enterprise-notebook-1.json: c9cc479ffa9e49d18ea1bfee0aebfa9f, Notebook, -
        enterprise-scene-service-1.json: c6e0278d240249148e1979a574321254, Scene Service, SceneServer
        enterprise-service-definition-1.json: 1c252d381e39443d9e76f46dee30e31a, Service Definition, -
        enterprise-vector-tile-package-1.json: 5ea88a59477c49d495e2b00384d25f26, Vector Tile Package, -
        enterprise-vector-tile-service-1.json: 63ddef9253954103ab978d450edb34d1, Vector Tile Service, VectorTileServer
        enterprise-web-map-2.json: eabb7bbd9cab45ddb0a3f4adaf19c118, Web Map, -
        enterprise-web-map-3.json: f48be5efca954ae88327d2de5b9e8b83, Web Map, -
        enterprise-web-map-4.json: e8b3c3e526624c8ba74d4ebe71d5bedf, Web Map, -
        enterprise-web-map-5.json: 8524e62c524f43e6acb24742fa51f909, Web Map, -
        enterprise-web-mapping-application-1.json: 0655f67146c14c74a9097aae2180273a, Web Mapping Application, -
        enterprise-web-scene-1.json: 2a173a1d779848e1951f2a3d63ed2455, Web Scene, -
        group-item-pdf.json: 59dd250ab1a54660b11f4f3434a3e481, PDF, -
        online-feature-service-1.json: 156bf2715e9e4098961c4a2a6848fa20, Feature Service, FeatureServer
        online-storymap-1.json: bce0eca488ab47a3b25f63ddca34e679, StoryMap, -
        terria-group-search-a.json: -, -, -
        terria-portal-item.json: 66fabd8c23074ecc85883e0086419adc, Feature Service, FeatureServer
        terria-search-mixed-types.json: -, -, -
        tpkx-iteminfo.json: -, Compact Tile Package, -
        trails-feature-service.json: 69e12682738e467eb509d8b54dc73cbd, Feature Service, FeatureServer
        usa-vector-tile-service.json: 7945dd44c5cd41329984d7ce6e641976, Vector Tile Service, VectorTileServer
        usa-vector-tile-style-item.json: 31eb749371c441e0b3ac5db4f60ecba9, Vector Tile Service, VectorTileServer
        """

    static let mapServers = """
        brazil-10.04-wkid29193-irregular-lods.json: version 10.04, cached yes, 11 levels, export no
        catalog-10.31-folders.json: version 10.31, cached no, 0 levels, export no
        catalog-enterprise-11.2.json: version 11.2, cached no, 0 levels, export no
        catalog-sampleserver6.json: version 10.71, cached no, 0 levels, export no
        china-wkid2364-maxx-maxy-extent.json: version -, cached yes, 9 levels, export no
        china-wkid4610-jsonp-payload.json: version -, cached yes, 12 levels, export no
        damage-assessment-wkt-sr.json: version 10.71, cached no, 0 levels, export no
        doc-sample-tiled-4326.json: version 11.1, cached yes, 5 levels, export yes
        ga-hydrography-10.04-74-layers.json: version 10.04, cached no, 0 levels, export no
        ga-hydrography-10.04-all-layers.json: version -, cached no, 0 levels, export no
        indonesia-10.6-204-layers.json: version 10.6, cached yes, 20 levels, export no
        layer-with-tiles-11.1.json: version 11.1, cached no, 14 levels, export no
        map-with-no-layers.json: version 10.71, cached no, 0 levels, export no
        nexis-wkid3112.json: version 10.61, cached no, 0 levels, export no
        nsw-imagery-10.31-mixed-22-lods.json: version 10.31, cached yes, 22 levels, export no
        sampleserver-census-4269.json: version 10.71, cached no, 0 levels, export no
        single-fused-cache-all-layers.json: version -, cached no, 0 levels, export no
        single-fused-cache-legend.json: version -, cached no, 0 levels, export no
        single-fused-cache-tilesonly.json: version 10.81, cached yes, 24 levels, export no
        streetmap-10.01-28-layers.json: version 10.01, cached yes, 20 levels, export no
        streetmap-10.01-long-description.json: version 10.01, cached yes, 20 levels, export no
        time-enabled-cadastre.json: version 10.71, cached no, 0 levels, export no
        tpkx-root-json.json: version -, cached yes, 24 levels, export no
        troy-mapserver.json: version 11.5, cached no, 0 levels, export no
        """

    static let imageServers = """
        catalog-item-1.json: version -, cached no, 0 levels, export no
        download-capability-102605.json: version 10.3, cached no, 0 levels, export no
        download-reply.json: version -, cached no, 0 levels, export no
        raster-functions-10.91.json: version 10.91, cached no, 0 levels, export no
        sentinel2-landcover-11.0.json: version 11, cached no, 0 levels, export no
        tiled-10.91-mixed.json: version 10.91, cached yes, 20 levels, export no
        """

    static let vectorTileServers = """
        doc-sample-10.4.json: version 10.4, cached yes, 20 levels, export yes
        japan-index-10.9.json: version 10.9, cached yes, 17 levels, export no
        koop-10.61.json: version 10.61, cached yes, 23 levels, export yes
        norway-geocache-wkid25833.json: version 10.71, cached yes, 21 levels, export yes
        openfreemap-emulated-no-extension.json: version 10.4, cached yes, 15 levels, export no
        usa-population-11.5.json: version 11.5, cached yes, 24 levels, export no
        """

    static let styles = """
        hackerlab-lightgreen-root.json: 93 layers, 1 sources, sprite yes, glyphs yes
        hamilton-root.json: 1 layers, 1 sources, sprite no, glyphs no
        japan-org-std.json: 870 layers, 1 sources, sprite yes, glyphs yes
        japan-root.json: 4 layers, 1 sources, sprite yes, glyphs yes
        mapbox-demo-root.json: 15 layers, 1 sources, sprite yes, glyphs yes
        mbtiles2vtpk-dark-minimal.json: 7 layers, 1 sources, sprite no, glyphs yes
        openfreemap-root.json: 55 layers, 1 sources, sprite yes, glyphs yes
        openstreetmap-basemap-style-v2.json: 649 layers, 1 sources, sprite yes, glyphs yes
        usa-service-root.json: 3 layers, 1 sources, sprite yes, glyphs yes
        usa-styled-item-root.json: 2 layers, 1 sources, sprite yes, glyphs yes
        """

    static let replicas = """
        doc-async-completed-resulturl.json: job succeeded
        doc-async-statusurl.json: no job
        doc-exporttiles-vector-job-estimate-fields.json: job succeeded
        doc-exporttiles-vector-job-full.json: job succeeded
        doc-exporttiles-vector-status.json: job running
        doc-gp-job-succeeded.json: no job
        gp-job-error-status.json: job failed
        gp-job-failed-message-singular.json: job failed
        gp-job-submitted.json: job running
        gp-job-succeeded-paramurl.json: job succeeded
        gp-job-succeeded-results.json: job succeeded
        raster-job-submitted.json: job running
        raster-job-succeeded.json: job succeeded
        runtime-geodatabase-online-10.41-homesites-layer-advanceddrawinginfo.json: no job
        runtime-geodatabase-online-10.41-homesites-layer-iteminfo.json: no job
        runtime-geodatabase-online-10.41-homesites_inspections-layer-advanceddrawinginfo.json: no job
        runtime-geodatabase-online-10.41-homesites_inspections-layer-iteminfo.json: no job
        runtime-geodatabase-online-10.41-leasecompliance2016homesites-service-iteminfo.json: no job
        runtime-geodatabase-server-10.31-homesites-layer-advanceddrawinginfo.json: no job
        runtime-geodatabase-server-10.31-homesites-layer-iteminfo.json: no job
        runtime-geodatabase-server-10.31-homesites_inspections-layer-iteminfo.json: no job
        runtime-geodatabase-server-10.31-leasecompliance2016-service-iteminfo.json: no job
        """

    /// Cache descriptions; `FormatsTests` has what each is to give.
    static let cacheDescriptions = [
        "cache-conf-09.2.xml", "cache-conf-10.0.xml", "cache-conf-10.1.xml", "cache-conf-compact-v2-sample.xml",
        "cache-conf-compact-v2.xml",
    ]
}
