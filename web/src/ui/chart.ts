// Pictures of numbers: lines, bars, a histogram. Each is a <figure> with a legend, an SVG drawn to the width there is, and
// the same numbers as a table. Colours come from CSS variables, so that dark mode needs no redrawing.

export { type Bar, type BarChartOptions, barChart } from './chart/bars.js';
export type { Chart } from './chart/figure.js';
export { type HistogramOptions, histogram, type ValueGroup } from './chart/histogram.js';
export { type Line, type LineChartOptions, lineChart } from './chart/lines.js';
export { type PlaneOptions, planeChart } from './chart/plane.js';
