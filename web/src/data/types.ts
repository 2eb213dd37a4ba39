// What the page and its worker say to each other: plain data that can be cloned, no library in it.

import type { Diagnosis, FitReport, Label } from 'perceptron-wasm';
import type { Choice } from './choice.js';

/** Which file, and how to take it where that is not left to the reader. */
export interface ReadRequest {
  readonly file: File;
  /** Where it is from, if it is not on the disk of whoever looks at it. */
  readonly origin?: 'example' | 'pasted' | undefined;
  /** .npy: a file with the labels. */
  readonly labels?: File | undefined;
  /** CSV: by number from 0. */
  readonly label?: number | undefined;
  readonly header?: boolean | undefined;
  /** CSV: by number from 0, ascending. */
  readonly ignore: readonly number[];
  /** What columns are, by name, where the reader would guess otherwise: the file is then read as a table. */
  readonly kinds?: Readonly<Record<string, Exclude<ColumnKind, 'ignore'>>> | undefined;
  /** What cannot be read counts as missing, and rows without a label are left out. */
  readonly fillGaps?: boolean | undefined;
}

/** What a column of a table is taken for. */
export type ColumnKind = 'number' | 'category' | 'text' | 'ignore';

export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Why. */
  readonly reason: string;
  /** Rows without a value. */
  readonly missing: number;
  /** Different values. */
  readonly distinct: number;
}

interface ClassCount {
  readonly label: Label;
  readonly rows: number;
}

/** What was read. */
export interface Summary {
  /** Which data of the worker's that is. */
  readonly data: number;
  readonly file: string;
  readonly bytes: number;
  readonly labelsFile?: string;
  readonly format: 'csv' | 'libsvm' | 'npy' | 'json' | 'jsonl' | 'parquet';
  readonly delimiter?: ',' | '\t' | ';';
  readonly rows: number;
  /** Columns that are trained on. */
  readonly cols: number;
  /** A file with words, categories or gaps: the columns that are no label, in order. */
  readonly table?: readonly TableColumn[];
  /** LIBSVM: values that are written. */
  readonly nonZeros?: number;
  readonly hasHeader: boolean;
  /** CSV and tables: all columns in order, with the label and those left out; undefined without a name. */
  readonly columns: readonly (string | undefined)[];
  /** CSV: columns left out, by number from 0. */
  readonly ignored: readonly number[];
  readonly label?: { readonly index: number; readonly name?: string; readonly reason: string };
  /** Empty where there are no labels. */
  readonly classes: readonly ClassCount[];
  /** What looks like a mistake. */
  readonly notes: readonly string[];
  readonly readMs: number;
}

export interface Accuracy {
  readonly right: number;
  readonly rows: number;
}

export interface Weight {
  readonly name: string;
  readonly value: number;
}

/** A value of a row, by the name of its column; NaN: there is none. */
export interface Value {
  readonly name: string;
  readonly value: number | string;
}

/** The weights of a plane: of the only one, or of a class against the others. */
export interface Plane {
  /** Which class the positive ones speak for, and the negative ones, where that is one class. */
  readonly positive: string;
  readonly negative: string | undefined;
  /** The heaviest first. */
  readonly heaviest: readonly Weight[];
  readonly bias: number;
}

export interface HardRow {
  /** From 1, as people count. */
  readonly row: number;
  /** The line of the file, where it is text. */
  readonly line?: number;
  /** How often it was the mistake. */
  readonly updates: number;
  readonly label: string;
  /** The answer of the trained model. */
  readonly predicted: string;
  readonly values: readonly Value[];
}

interface ClassScores {
  readonly label: string;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly support: number;
}

/** How good answers are. */
export interface Judged extends Accuracy {
  readonly accuracy: number;
  readonly balancedAccuracy: number;
  /** Of two classes. */
  readonly rocAuc?: number;
  /** Always giving the same answer. */
  readonly baseline: { readonly label: string; readonly accuracy: number };
  /** Of many classes, the first. */
  readonly byClass: readonly ClassScores[];
  readonly confusion: Confusion;
}

/** Who is taken for whom. */
export interface Confusion {
  /** Rows: what they are; columns: what they were taken for. Only of a few classes: of many it is nothing to look at. */
  readonly table?: readonly (readonly number[])[];
  /** Classes by number: those mistaken most often first. */
  readonly worst: readonly { readonly is: number; readonly taken: number; readonly rows: number }[];
}

/** How far rows are on the right side: of each class the values, or those of every so-many-th row where there are many. */
export interface Margins {
  readonly groups: readonly { readonly name: string; readonly values: Float64Array }[];
  readonly every: number;
  /** 'distance': from a straight border; 'score': where there is no such distance; 'lead': over the best other class. */
  readonly kind: 'distance' | 'score' | 'lead';
}

export interface Results {
  /** Which model of the worker's that is. */
  readonly model: number;
  readonly summary: Summary;
  readonly choice: Choice;
  /** How training went, in words. */
  readonly story: string;
  readonly report: FitReport;
  readonly diagnosis: Diagnosis | undefined;
  readonly classes: readonly string[];
  readonly training: Judged;
  /** On rows that were held out, of a model that was trained on the others. */
  readonly heldOut: Judged | undefined;
  /** Why there are none, though they were asked for. */
  readonly notHeldOut: string | undefined;
  /** Of the rows held out, where there are some. */
  readonly margins: Margins;
  /** None where the border is bent. */
  readonly planes: readonly Plane[];
  readonly hardest: readonly HardRow[];
  /** What a row of this data is made of: for “Try a row”. */
  readonly form: RowForm;
  /** The data and the border; undefined where two columns say too little. */
  readonly view: View | undefined;
  readonly fitMs: number;
}

export type Cell = number | string | null;

export interface RowField {
  /** Which of the row's cells this is. */
  readonly cell: number;
  readonly name: string;
  readonly kind: 'number' | 'category' | 'text';
  /** Of a category: those that were learned. */
  readonly values?: readonly string[];
}

/** A row of the data, to begin with. */
export interface Sample {
  /** From 1. */
  readonly row: number;
  readonly label: string;
  readonly cells: readonly Cell[];
}

export interface RowForm {
  readonly fields: readonly RowField[];
  /** All columns of a row, the ones without a field too. */
  readonly columns: number;
  readonly samples: readonly Sample[];
}

/** What the model says of one row. */
export interface Answer {
  readonly label: string;
  /** The score of the answer; of two classes its distance from 0, where the other one begins. */
  readonly score: number;
  /** Of more than two classes, each one's. */
  readonly scores: readonly Weight[];
  /** Of each class, where the model was calibrated. */
  readonly probabilities?: readonly Weight[];
  /** What decided: by column or word, or by the rows that it is like; they add up to the score. Above 0 they speak for the answer. */
  readonly parts: readonly Weight[];
}

/** Answers for a file. */
export interface Predicted {
  readonly file: string;
  readonly rows: number;
  /** How many rows got which answer, most first. */
  readonly counts: readonly Weight[];
  /** The beginning of the answers: names of the columns, and some rows. */
  readonly head: readonly string[];
  readonly first: readonly (readonly string[])[];
  /** Where the file has the right answers. */
  readonly right?: Accuracy;
  readonly notes: readonly string[];
  /** CSV. */
  readonly blob: Blob;
}

/** Two columns, the points in them, and who wins where. */
export interface View {
  readonly x: Axis;
  readonly y: Axis;
  /** Corners in a row, and rows of corners from the bottom; of two classes a score each, which is the second's; of more one for each class. */
  readonly size: number;
  readonly scores: Float32Array;
  readonly points: Float64Array;
  /** Of each point the class, by number. */
  readonly of: Uint8Array;
  readonly every: number;
  /** How many other columns there are, which stand at their usual values. */
  readonly others: number;
}

interface Axis {
  readonly name: string;
  readonly low: number;
  readonly high: number;
}

/** What went wrong, for people. */
export interface Trouble {
  readonly title: string;
  /** What it is about, in the library's words where those say more. */
  readonly detail: string;
  readonly remedy: string;
  readonly fixes: readonly Fix[];
}

/** Something that a click can try. */
export interface Fix {
  readonly text: string;
  readonly change: Partial<Pick<ReadRequest, 'label' | 'header' | 'ignore' | 'fillGaps'>>;
}

interface ReadProgress {
  readonly kind: 'reading';
  readonly bytes: number;
  readonly totalBytes: number | undefined;
  readonly rows: number;
}

export interface TrainProgress {
  readonly kind: 'training';
  readonly epoch: number;
  /** Share of this epoch. */
  readonly share: number;
  /** Of the last whole epoch. */
  readonly mistakes: number | undefined;
  /** Trained once more, without the rows held out. */
  readonly isTrial?: boolean;
}

interface LookProgress {
  readonly kind: 'looking';
  /** Rows that were looked at, of how many; absent before the first. */
  readonly done?: number;
  readonly rows?: number;
}

export type Progress = ReadProgress | TrainProgress | LookProgress;

export type Ask =
  | { readonly do: 'read'; readonly request: ReadRequest }
  | { readonly do: 'train'; readonly data: number; readonly choice: Choice }
  /** The model as a file. */
  | { readonly do: 'save'; readonly model: number }
  /** What the model says of a row. */
  | { readonly do: 'try'; readonly model: number; readonly cells: readonly Cell[] }
  /** What it says of all rows of a file. */
  | { readonly do: 'predict'; readonly model: number; readonly file: File }
  /** Teaches it probabilities; from then on answers have them. */
  | { readonly do: 'calibrate'; readonly model: number }
  /** The page shows these, and will ask for no others. */
  | { readonly do: 'keep'; readonly data?: number; readonly model?: number };

/** What questions are answered with. */
export interface Answers {
  read: Summary;
  train: Results;
  save: Blob;
  try: Answer;
  predict: Predicted;
  calibrate: true;
}

export type Question = Ask & { readonly id: number };

/** Ends a question; `isDropped`: nobody wants its answer any more, not even in part. */
export interface Cancel {
  readonly cancel: number;
  readonly isDropped: boolean;
}

export type Message =
  /** The worker lives, and holds the lock of this name for as long as it does. */
  | { readonly holds: string }
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly done: Answers[keyof Answers] | undefined }
  | { readonly id: number; readonly trouble: Trouble }
  | { readonly id: number; readonly isCancelled: true };
