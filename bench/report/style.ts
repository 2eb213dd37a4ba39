// How the page looks. Nothing is fetched: the system's fonts, and colours by custom properties.

import { COLOUR_STYLE } from './colours.js';

/** Charts, on the page and on their own. */
export const CHART_STYLE = `svg.chart{font-family:system-ui,-apple-system,"Segoe UI",sans-serif;overflow:visible}
svg.chart text{white-space:pre}`;

export const PAGE_STYLE = `${COLOUR_STYLE}
${CHART_STYLE}
:root{color-scheme:light dark}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--surface);color:var(--text);font:17px/1.6 system-ui,-apple-system,"Segoe UI",sans-serif;font-variant-numeric:tabular-nums}
main,header,footer{max-width:1040px;margin:0 auto;padding:0 16px}
header{padding-top:clamp(28px,6vw,72px)}
.kicker{margin:0;color:var(--muted);font-size:14px}
h1{font-size:clamp(27px,4.6vw,44px);line-height:1.15;letter-spacing:-.02em;margin:.25em 0 .7em;max-width:22em;text-wrap:balance}
.lead{font-size:clamp(18px,2.3vw,23px);line-height:1.5;max-width:40em;margin:0 0 1em}
.front{font-size:clamp(17px,2vw,20px);line-height:1.45;max-width:46em;margin:0 0 1em;padding:0;list-style:none}
.front li{margin:0 0 .5em}
.front strong{white-space:nowrap;color:var(--ours)}
.lead strong{white-space:nowrap}
.lead .loss{color:var(--loss)}
.small{font-size:15px;color:var(--muted);max-width:48em}
.warning{border-left:4px solid var(--loss);background:var(--raised);padding:10px 14px;margin:0 0 18px;font-size:15px;max-width:50em}
a{color:inherit;text-underline-offset:.15em}
section{margin:clamp(44px,7vw,76px) 0}
h2{font-size:clamp(20px,2.6vw,26px);line-height:1.25;letter-spacing:-.01em;margin:0 0 .3em;text-wrap:balance}
.aid{margin:0 0 1.1em;color:var(--muted);max-width:46em;font-size:16px;line-height:1.5}
figure{margin:0}
figcaption{color:var(--muted);font-size:14.5px;margin-top:10px;max-width:50em}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:26px 20px;align-items:start}
.panel,.wide,.narrow{min-width:0}
svg.chart{display:block;width:100%;height:auto}
.panel svg.chart{max-width:400px}
.narrow svg.chart{max-width:560px}
.narrow{display:none}
@media (max-width:859px){.wide{display:none}.narrow{display:block}}
.panel h3{font-size:15px;line-height:1.3;margin:0}
.panel .rule{font-size:13.5px;color:var(--muted);margin:0 0 4px}
.scale{max-width:330px;margin:0 0 14px}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;list-style:none;margin:0 0 14px;padding:0;font-size:14px}
.legend li{display:flex;align-items:center;gap:7px}
.mark{flex:none;display:inline-block;width:11px;height:11px;background:currentColor}
.mark.dot,.mark.hollow,.mark.ring{border-radius:50%}
.mark.hollow,.mark.hollow-square,.mark.ring,.mark.diamond{background:none;border:2px solid currentColor}
.mark.diamond{width:9px;height:9px;transform:rotate(45deg)}
.mark.line{width:20px;height:0;background:none;border-top:3px solid currentColor}
.mark.dashed{width:22px;height:0;background:none;border-top:2px dashed currentColor}
.mark.thin-dashed{width:22px;height:0;background:none;border-top:1px dashed currentColor}
.mark.map-line,.mark.map-dashed,.mark.map-ring{width:26px;height:14px;border-radius:2px;background:var(--map-dual-2);display:flex;align-items:center;justify-content:center}
.mark.map-line::after,.mark.map-dashed::after{content:"";width:100%;border-top:2px solid currentColor}
.mark.map-dashed::after{border-top-style:dashed}
.mark.map-ring::after{content:"";width:10px;height:10px;border-radius:50%;border:1.5px solid currentColor}
.mark.block{width:16px;height:11px;border-radius:2px}
.key{font-size:13.5px;padding-left:2em;margin:10px 0 0;color:var(--muted)}
details{margin-top:14px;font-size:15px}
summary{cursor:pointer;color:var(--muted);width:fit-content;padding:4px 0}
summary:hover{color:var(--text)}
:focus-visible{outline:2px solid var(--dual);outline-offset:2px}
.scroll{overflow:auto;margin:6px 0 0;border:1px solid var(--grid);border-radius:6px;background:linear-gradient(to right,var(--surface) 30%,transparent),linear-gradient(to left,var(--surface) 30%,transparent) right,linear-gradient(to right,var(--shade),transparent),linear-gradient(to left,var(--shade),transparent) right;background-size:40px 100%,40px 100%,9px 100%,9px 100%;background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}
details .scroll{max-height:560px}
table{border-collapse:collapse;width:100%;font-size:14px;line-height:1.4}
caption span{position:sticky;left:12px;display:inline-block;max-width:calc(100vw - 60px)}
caption{text-align:left;color:var(--muted);padding:8px 12px;font-size:13.5px}
th,td{padding:5px 12px;text-align:left;vertical-align:top;border-top:1px solid var(--grid)}
thead th{position:sticky;top:0;background:var(--raised);font-weight:600;white-space:nowrap;vertical-align:bottom}
tbody th{font-weight:400;min-width:9em}
tbody th.number{min-width:0}
.number{text-align:right;white-space:nowrap}
td:not(.number){min-width:6em}
.lost,.missed{color:var(--loss);font-weight:600}
.missing p,.none{color:var(--muted);font-size:15px}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--raised);padding:.1em .3em;border-radius:3px;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:minmax(7em,auto) 1fr;gap:4px 20px;font-size:15px;margin:0}
dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
footer{padding-bottom:60px;color:var(--muted);font-size:14px}
@media print{
body{font-size:11pt}
.wide{display:none}.narrow{display:block}
section,figure,.panel,tr{break-inside:avoid}
.scroll{overflow:visible;max-height:none;border:0}
thead th{position:static}
details::details-content{content-visibility:visible;display:block}
svg,.mark{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}`;
