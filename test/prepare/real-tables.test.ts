// Real tables with real holes (vega-datasets), real Arrow tables, rows of a database.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Table as ArrowTable, Dictionary, Int32, tableFromIPC, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { MulticlassPerceptron, SparseMatrix } from '../../src/index.js';
import { inferColumns, type Table, TableEncoder } from '../../src/prepare/index.js';
import { asArrow, asColumns, bitsOf, type Records, rowsIn, vega } from './tables.js';

const root = resolve(import.meta.dirname, '../..');

const kindsOf = (table: Table) => Object.fromEntries(inferColumns(table).map(({ name, kind }) => [name, kind]));

/** One-hot, median and mean 0, variance 1, as one would write it in an evening. */
function plainly(records: Records, kinds: Record<string, string>): number[][] {
  const columns = Object.keys(kinds).flatMap((name): number[][] => {
    const values = records.map((record) => record[name] as number | string | null);
    if (kinds[name] === 'category') {
      const seen = [...new Set(values.filter((value) => value !== null))];
      return seen.map((one) => values.map((value) => (value === one ? 1 : 0)));
    }
    if (kinds[name] !== 'number') return [];
    const present = (values.filter((value) => value !== null) as number[]).sort((a, b) => a - b);
    const half = present.length / 2;
    const median = (present[Math.ceil(half) - 1]! + present[Math.floor(half)]!) / 2;
    const filled = values.map((value) => (value as number | null) ?? median);
    const mean = filled.reduce((a, b) => a + b, 0) / filled.length;
    const deviation = Math.sqrt(filled.reduce((a, b) => a + (b - mean) ** 2, 0) / filled.length);
    return [filled.map((value) => (value - mean) / deviation)];
  });
  return records.map((_, i) => columns.map((column) => column[i]!));
}

describe('vega-datasets', () => {
  test('penguins: kinds, numbers and a model', () => {
    const penguins = vega('penguins');
    const y = penguins.map(({ Species }) => Species as string);
    const kinds = kindsOf(penguins);
    expect(kinds).toEqual({
      Species: 'category',
      Island: 'category',
      'Beak Length (mm)': 'number',
      'Beak Depth (mm)': 'number',
      'Flipper Length (mm)': 'number',
      'Body Mass (g)': 'number',
      Sex: 'category',
    });
    const encoder = new TableEncoder({ columns: { Species: 'ignore' }, missing: 'median' });
    const X = encoder.fitTransform(penguins);
    const model = new MulticlassPerceptron({ average: true, order: 'shuffle', maxEpochs: 20 }).fit(X, y);
    expect(model.score(X, y)).toBeGreaterThan(0.98);
    expect(rowsIn(X)).toEqual(plainly(penguins, { ...kinds, Species: 'ignore' }));
  });

  test('cars: numbers with holes, a column of names', () => {
    const cars = vega('cars');
    expect(kindsOf(cars)).toMatchObject({ Miles_per_Gallon: 'number', Horsepower: 'number', Origin: 'category' });
    const encoder = new TableEncoder({
      columns: { Origin: 'ignore', Name: 'ignore' },
      missing: 'median',
      indicator: true,
    });
    const X = encoder.fitTransform(cars);
    const missing = encoder.featureNames.indexOf('Horsepower is missing');
    expect(rowsIn(X).map((row) => row[missing])).toEqual(cars.map(({ Horsepower }) => (Horsepower === null ? 1 : 0)));
  });

  test('movies: numbers among titles, holes in every column, all forms alike', () => {
    const movies = vega('movies').filter((_, i) => i % 8 === 0);
    const options = { missing: 'median', columns: { 'US DVD Sales': 'ignore' } } as const;
    const encoder = new TableEncoder(options).fit(movies);
    const X = encoder.transform(movies);
    expect(X).toBeInstanceOf(SparseMatrix);
    const expected = bitsOf(X);
    expect(bitsOf(encoder.transform(asColumns(movies)))).toEqual(expected);
    const copy = TableEncoder.fromJSON(JSON.parse(JSON.stringify(encoder)));
    expect(bitsOf(copy.transform(movies))).toEqual(expected);
    expect(copy.outputCols).toBe(encoder.featureNames.length);
  });
});

describe('Arrow', () => {
  test('a table from a file of several batches: dictionaries, nulls, bigints, dates', () => {
    const dictionary = new Dictionary(new Utf8(), new Int32());
    const first = new ArrowTable({
      n: vectorFromArray([1.5, null, 3]),
      big: vectorFromArray([1n, 2n, null]),
      word: vectorFromArray(['a', 'b', null], dictionary),
      day: vectorFromArray([new Date(0), new Date(86_400_000), null]),
      on: vectorFromArray([true, null, false]),
    });
    const table = tableFromIPC(tableToIPC(first.concat(first) as typeof first));
    expect(table.batches.length).toBe(2);
    const records = [
      { n: 1.5, big: 1, word: 'a', day: 0, on: true },
      { n: null, big: 2, word: 'b', day: 86_400_000, on: null },
      { n: 3, big: null, word: null, day: null, on: false },
    ];
    const encoder = new TableEncoder({ missing: 'mean', indicator: true }).fit(table as unknown as Table);
    expect(encoder.columns.map(({ kind }) => kind)).toEqual(['number', 'number', 'category', 'number', 'number']);
    const expected = bitsOf(encoder.transform([...records, ...records]));
    expect(bitsOf(encoder.transform(table as unknown as Table))).toEqual(expected);
    const same = new TableEncoder({ missing: 'mean', indicator: true }).fit([...records, ...records]);
    expect(JSON.stringify(same)).toBe(JSON.stringify(encoder));
  });

  test('the penguins as Arrow give the same bits', () => {
    const penguins = vega('penguins');
    const encoder = new TableEncoder({ missing: 'most-frequent' }).fit(penguins);
    expect(bitsOf(encoder.transform(asArrow(penguins)))).toEqual(bitsOf(encoder.transform(penguins)));
  });

  test('a table that has toArray alone, or at alone, is read', () => {
    const schema = { fields: [{ name: 'a' }, { name: 'b' }] };
    const children: Record<string, object> = { a: { toArray: () => [1, 2] }, b: { at: (i: number) => ['x', 'y'][i] } };
    const table = { numRows: 2, schema, getChild: (name: string) => children[name] };
    expect(rowsIn(new TableEncoder({ standardize: false }).fitTransform(table))).toEqual([
      [1, 1, 0],
      [2, 0, 1],
    ]);
  });
});

/** A Node that has node:sqlite: this one, or one that npx can get. */
function nodeWithSqlite(): string[] | undefined {
  if (Number.parseInt(process.versions.node, 10) >= 22) return [process.execPath, '--experimental-sqlite'];
  const npx = ['npx', '-y', 'node@22', '--experimental-sqlite'];
  const { status } = spawnSync(npx[0]!, [...npx.slice(1), '-e', "require('node:sqlite')"], { timeout: 60_000 });
  return status === 0 ? npx : undefined;
}

test('rows of node:sqlite are a table as they are', ({ skip }) => {
  const node = nodeWithSqlite();
  if (!node || !existsSync(join(root, 'node_modules/tsx'))) return skip('there is no Node with node:sqlite');
  const script = `
    import { DatabaseSync } from 'node:sqlite';
    import { TableEncoder } from ${JSON.stringify(join(root, 'src/prepare/index.ts'))};
    const db = new DatabaseSync(':memory:');
    db.exec("create table people (age real, city text); insert into people values (20, 'Rome'), (null, 'Oslo'), (40, null)");
    const people = db.prepare('select age, city from people');
    const encoder = new TableEncoder({ missing: 'median', standardize: false });
    const X = encoder.fitTransform(people.all());
    console.log(JSON.stringify([encoder.featureNames, [...X.data]]));
  `;
  const [command, ...flags] = node;
  const { stdout, stderr } = spawnSync(command!, [...flags, '--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
    timeout: 100_000,
  });
  expect(stdout, stderr).toContain('[["age","city=Rome","city=Oslo"],[20,1,0,30,0,1,40,0,0]]');
});
