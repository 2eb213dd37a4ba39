// How the page looks. Nothing is fetched: the system's fonts, colours by custom properties for light and for dark, light on paper.
// Blue and orange, never red and green, and no meaning by colour alone.

/** Name: light, dark. The colours of cells are channels, since their strength varies. */
const COLOURS: Record<string, readonly [light: string, dark: string]> = {
  surface: ['#ffffff', '#15181d'],
  raised: ['#f6f7f9', '#1d2127'],
  text: ['#1a1e24', '#e9ebee'],
  muted: ['#5a636e', '#a5aeb9'],
  grid: ['#e4e7eb', '#2d333b'],
  rule: ['#8b949e', '#717a86'],
  accent: ['#0b6b63', '#5ed0c0'],
  right: ['#1d63b0', '#7fb8f5'],
  wrong: ['#b45309', '#f0a35e'],
  'right-cell': ['29 99 176', '77 146 222'],
  'wrong-cell': ['200 92 10', '222 120 40'],
  'line-0': ['#1d63b0', '#7fb8f5'],
  'line-1': ['#b45309', '#f0a35e'],
  'line-2': ['#0b6b63', '#5ed0c0'],
  'line-3': ['#9c2f86', '#f08fd8'],
  'line-4': ['#6b5a00', '#d8c34a'],
  'line-5': ['#4a4fb5', '#a9acff'],
};

/** As many curves as there are colours; dashes tell them apart, too. */
export const LINES = 6;
const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '5 5', '1 4'];

const properties = (scheme: 0 | 1): string =>
  Object.entries(COLOURS)
    .map(([name, pair]) => `--${name}:${pair[scheme]}`)
    .join(';');

const lines = DASHES.map((dash, k) => `.line-${k}{stroke:var(--line-${k});stroke-dasharray:${dash}}`).join('\n');

export const STYLE = `:root{color-scheme:light dark;${properties(0)}}
@media screen and (prefers-color-scheme:dark){:root{${properties(1)}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--surface);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;font-variant-numeric:tabular-nums}
header,main,footer{max-width:1072px;margin:0 auto;padding:0 16px}
header{padding-top:clamp(24px,5vw,56px)}
.kicker{margin:0;color:var(--muted);font-size:14px}
h1{font-size:clamp(26px,4.4vw,40px);line-height:1.15;letter-spacing:-.02em;margin:.15em 0 .5em;overflow-wrap:anywhere}
.lead{font-size:clamp(18px,2.3vw,23px);line-height:1.45;max-width:42em;margin:1.2em 0 1em}
.lead strong{white-space:nowrap}
h2{font-size:20px;line-height:1.25;letter-spacing:-.01em;margin:0 0 .3em}
h3{font-size:15px;line-height:1.3;margin:0 0 .4em;overflow-wrap:anywhere}
.aid{margin:0 0 .9em;color:var(--muted);font-size:15px;line-height:1.5;max-width:46em;overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:3px 16px;font-size:15px;margin:0}
.facts dt{color:var(--muted)}
.facts dd{margin:0;overflow-wrap:anywhere;max-width:56em}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(134px,1fr));gap:10px;margin:0}
.tiles div{background:var(--raised);border:1px solid var(--grid);border-radius:8px;padding:9px 12px;display:flex;flex-direction:column;justify-content:space-between}
.tiles dt{color:var(--muted);font-size:13.5px;line-height:1.3}
.tiles dd{margin:2px 0 0;font-size:20px;line-height:1.3;white-space:nowrap}
.sections{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:48px 48px;margin-top:48px;align-items:start}
.sections>section{min-width:0}
.column{display:grid;gap:48px;min-width:0}
.sections>:only-child,.full{grid-column:1/-1}
@media (max-width:859px){.sections{grid-template-columns:minmax(0,1fr);gap:40px}}
figure{margin:0}
figcaption{color:var(--muted);font-size:14px;line-height:1.45;margin-top:8px;overflow-wrap:anywhere}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr));gap:26px 40px}
.panels>*{min-width:0}
svg.chart{display:block;width:100%;max-width:480px;height:auto;overflow:visible;font:11px system-ui,-apple-system,"Segoe UI",sans-serif}
.panels svg.chart{max-width:440px;font-size:12px}
svg text{fill:var(--muted);unicode-bidi:isolate}
svg .name{fill:var(--text)}
svg .grid{stroke:var(--grid)}
svg .axis,svg .zero{stroke:var(--rule)}
svg .dashed{stroke:var(--rule);stroke-dasharray:4 4}
svg .accent,svg .dot{fill:var(--accent)}
svg .dot{stroke:var(--surface)}
svg .whisker{stroke:var(--accent);stroke-width:1.2;opacity:.6}
svg .band{fill:var(--accent);opacity:.25}
svg .line{fill:none;stroke-width:1.8;stroke-linejoin:round}
svg .accent-line{stroke:var(--accent)}
svg .far{opacity:.45}
svg .right,svg .plus{fill:var(--right)}
svg .wrong,svg .minus{fill:var(--wrong)}
${lines}
.legend{display:flex;flex-wrap:wrap;gap:3px 18px;list-style:none;margin:0 0 10px;padding:0;font-size:14px}
.legend li{display:flex;align-items:center;gap:7px;min-width:0;overflow-wrap:anywhere}
.legend svg{flex:none}
.swatch{flex:none;width:12px;height:12px;border-radius:2px}
.swatch.right{background:var(--right)}
.swatch.wrong{background:var(--wrong)}
.scroll{overflow:auto;border:1px solid var(--grid);border-radius:8px}
:focus-visible{outline:2px solid var(--right);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:14px;line-height:1.4}
caption{text-align:left;color:var(--muted);padding:7px 10px;font-size:13.5px}
th,td{padding:5px 10px;text-align:left;vertical-align:top;border-top:1px solid var(--grid)}
thead th{background:var(--raised);font-weight:600;vertical-align:bottom}
tbody th{font-weight:400;max-width:20em;min-width:7em;overflow-wrap:anywhere}
tbody th.number{min-width:0}
td:not(.number){max-width:20em;min-width:6em;overflow-wrap:anywhere}
.number{text-align:right;white-space:nowrap}
.confusion tbody td{max-width:none;text-align:center;vertical-align:middle;border:2px solid var(--surface);padding:9px 6px;min-width:44px;border-radius:6px;white-space:nowrap}
.confusion td.zero{color:var(--muted)}
.confusion td small{display:block;font-size:11.5px;line-height:1.2}
.confusion th{border:0;background:none;font-weight:400;max-width:9em;min-width:0}
.confusion th bdi{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.confusion thead th{text-align:center;min-width:5.8em;font-size:13.5px;overflow-wrap:anywhere}
.confusion tbody th{position:sticky;left:0;background:var(--surface);min-width:6em;text-align:right;vertical-align:middle;font-size:13.5px}
.confusion .corner{border:0;color:var(--muted);font-size:12.5px;text-align:right;min-width:5.5em}
.confusion .hit{background:rgb(var(--right-cell)/var(--s))}
.confusion .miss{background:rgb(var(--wrong-cell)/var(--s))}
.plain{border:0}
details{margin-top:10px;font-size:14.5px}
summary{cursor:pointer;color:var(--muted);width:fit-content;padding:4px 0}
summary:hover{color:var(--text)}
details .scroll{max-height:420px}
footer{margin-top:56px;padding-bottom:48px;color:var(--muted);font-size:14px}
@media (max-width:599px){th,td{padding:5px 6px}table{font-size:13.5px}tbody th{min-width:6em}}
code{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:nowrap}
.tips{margin:.4em 0;padding-left:1.2em}
@media print{
@page{margin:14mm}
body{font-size:10.5pt}
.sections{grid-template-columns:repeat(2,minmax(0,1fr));gap:22px 26px;margin-top:22px}
.column{gap:22px}
h2{font-size:13pt}
.aid,figcaption,.facts{font-size:9pt}
.lead{font-size:13pt}
.tiles{grid-template-columns:repeat(5,1fr)}
.tiles dt{font-size:8.5pt}
.tiles dd{font-size:12pt}
table,.confusion thead th,.confusion tbody th,caption,.legend{font-size:8.5pt}
th,td{padding:3px 5px}
tbody th{min-width:5em}
.panels{grid-template-columns:repeat(2,minmax(0,1fr));gap:16px 26px}
section,figure,tr,.tiles div{break-inside:avoid}
.full{break-inside:auto}
.scroll{overflow:visible;max-height:none}
details:not([open]){display:none}
.confusion td,.swatch,.tiles div,svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}`;
