package draw

// SVGStyle returns the style sheet for the pictures of SVGFragment. A page needs it once. All its rules are limited to elements of class
// redline-graph. It has colours for light and for dark screens, and shows nothing by colour alone.
func SVGStyle() string { return svgStyle }

const svgStyle = `
.redline-graph{font:12px Helvetica,Arial,"Liberation Sans",sans-serif;max-width:100%;height:auto}
.redline-graph text{fill:#1f2328;text-anchor:middle}
.redline-graph .paper{fill:#fff}
.redline-graph .beside{text-anchor:start}
.redline-graph .caption{font-weight:bold}
.redline-graph .lane rect{fill:#f6f8fa;stroke:#d0d7de}
.redline-graph .lane .head{font-weight:bold;fill:#57606a}
.redline-graph .node rect,.redline-graph .node circle{fill:#fff;stroke:#57606a;stroke-width:1.2}
.redline-graph .node.transition rect{fill:#eaeef2}
.redline-graph .node.document rect{fill:#d3f1ee}
.redline-graph .node.state.marked rect{stroke-width:2.4}
.redline-graph .node .token{fill:#1f2328;stroke:none}
.redline-graph .edge .line{fill:none;stroke:#6e7781;stroke-width:1.2}
.redline-graph .edge .arrow{fill:#6e7781;stroke:none}
.redline-graph .edge .label{fill:#424a53}
.redline-graph .node.appeared rect,.redline-graph .node.appeared circle{fill:#dafbe1;stroke:#1a7f37;stroke-width:3}
.redline-graph .node.gone rect,.redline-graph .node.gone circle{fill:#ffebe9;stroke:#cf222e;stroke-dasharray:5 3}
.redline-graph .node.stuck rect{fill:#fff8c5;stroke:#9a6700;stroke-width:4}
.redline-graph .edge.appeared .line{stroke:#1a7f37;stroke-width:3}
.redline-graph .edge.appeared .arrow{fill:#1a7f37}
.redline-graph .edge.gone .line{stroke:#cf222e;stroke-width:2;stroke-dasharray:5 4}
.redline-graph .edge.gone .arrow{fill:#cf222e}
@media screen and (prefers-color-scheme:dark){
.redline-graph text{fill:#e6edf3}
.redline-graph .paper{fill:#0d1117}
.redline-graph .lane rect{fill:#161b22;stroke:#30363d}
.redline-graph .lane .head{fill:#9198a1}
.redline-graph .node rect,.redline-graph .node circle{fill:#0d1117;stroke:#9198a1}
.redline-graph .node.transition rect{fill:#262c36}
.redline-graph .node.document rect{fill:#0f3d3a}
.redline-graph .node .token{fill:#e6edf3;stroke:none}
.redline-graph .edge .line{stroke:#848d97}
.redline-graph .edge .arrow{fill:#848d97}
.redline-graph .edge .label{fill:#c9d1d9}
.redline-graph .node.appeared rect,.redline-graph .node.appeared circle{fill:#0f3d1d;stroke:#3fb950}
.redline-graph .node.gone rect,.redline-graph .node.gone circle{fill:#4a1518;stroke:#f85149}
.redline-graph .node.stuck rect{fill:#3b2f0b;stroke:#d29922}
.redline-graph .edge.appeared .line{stroke:#3fb950}
.redline-graph .edge.appeared .arrow{fill:#3fb950}
.redline-graph .edge.gone .line{stroke:#f85149}
.redline-graph .edge.gone .arrow{fill:#f85149}
}
`
