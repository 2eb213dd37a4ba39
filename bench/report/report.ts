// Writes the report of a run.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Results } from '../harness/results.js';
import { allAnswers } from './markdown.js';
import { page } from './page.js';
import { crossoverPicture } from './picture.js';

/** Writes report.html, crossover.svg and results.md into a folder (its address ends with a slash); tells where the page is. */
export function writeReport(results: Results, folder: URL): URL {
  mkdirSync(folder, { recursive: true });
  const report = new URL('report.html', folder);
  writeFileSync(report, page(results));
  writeFileSync(new URL('results.md', folder), allAnswers(results));
  const picture = crossoverPicture(results);
  const place = new URL('crossover.svg', folder);
  // One of an earlier run would be taken for this one's.
  if (picture === undefined) rmSync(place, { force: true });
  else writeFileSync(place, picture);
  return report;
}
