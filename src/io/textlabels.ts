// Labels in a text file, one a line.

import { FieldScanner } from './fields.js';
import { isNotANumber, LabelList } from './labels.js';
import { LF } from './numbers.js';
import { expectText, lineEnd } from './text.js';
import type { ByteWindow } from './window.js';

/** Reads one label a line; blank lines are allowed at the end only. @throws DataError naming the line */
export async function readTextLabels(window: ByteWindow): Promise<LabelList> {
  await expectText(window);
  const field = new FieldScanner(window, LF);
  const labels = new LabelList(window);
  let blank: Error | undefined;
  for (;;) {
    while (window.start < window.end && field.scan(window.start)) {
      const next = lineEnd(window, field.end);
      if (next < 0) break;
      const text = field.text();
      if (text === '') blank ??= window.lineFault('expected a label, got an empty line');
      else if (blank) throw blank;
      else if (isNotANumber(text) && !field.isQuoted) throw window.lineFault(`expected a label, got ${text}`);
      else {
        window.endRow();
        labels.add(text);
      }
      field.pass();
      window.beginLine(next);
      window.start = Math.min(next, window.end);
    }
    if (window.isLast) break;
    await window.fill();
  }
  if (labels.length === 0) throw window.fault('there are no labels in it: only blank lines');
  return labels;
}
