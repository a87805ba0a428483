/// ArcGIS `drawingInfo` texts (REST reference 3.2): simple and unique value renderers.
enum Renderers {
    static func simple(_ symbol: String, label: String = "") -> String {
        #"{"renderer":{"type":"simple","symbol":\#(symbol),"label":"\#(label)","description":""},"transparency":0,"labelingInfo":null}"#
    }

    static func unique(_ field: String, _ cases: [(value: String, label: String, symbol: String)], other: String) -> String {
        let infos = cases.map { #"{"value":"\#($0.value)","label":"\#($0.label)","description":"","symbol":\#($0.symbol)}"# }
        return #"{"renderer":{"type":"uniqueValue","field1":"\#(field)","field2":null,"field3":null,"fieldDelimiter":",","#
            + #""defaultSymbol":\#(other),"defaultLabel":"Other","uniqueValueInfos":[\#(infos.joined(separator: ","))]},"#
            + #""transparency":0,"labelingInfo":null}"#
    }

    static func marker(_ style: String, _ color: String, size: Double) -> String {
        #"{"type":"esriSMS","style":"esriSMS\#(style)","color":\#(color),"size":\#(size),"angle":0,"xoffset":0,"yoffset":0,"#
            + #""outline":{"color":[255,255,255,255],"width":0.75}}"#
    }

    static func line(_ style: String, _ color: String, width: Double) -> String {
        #"{"type":"esriSLS","style":"esriSLS\#(style)","color":\#(color),"width":\#(width)}"#
    }

    static func fill(_ color: String, outline: String) -> String {
        #"{"type":"esriSFS","style":"esriSFSSolid","color":\#(color),"#
            + #""outline":{"type":"esriSLS","style":"esriSLSSolid","color":\#(outline),"width":1.5}}"#
    }
}
