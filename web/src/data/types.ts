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
  readonly format: 'csv' | 'libsvm' | 'npy';
  readonly delimiter?: ',' | '\t' | ';';
  readonly rows: number;
  /** Columns that are trained on. */
  readonly cols: number;
  /** LIBSVM: values that are written. */
  readonly nonZeros?: number;
  readonly hasHeader: boolean;
  /** CSV: all columns in order, with the label and those left out; undefined without a header. */
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
  readonly predicted: string;
  readonly values: readonly Weight[];
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
  readonly training: Accuracy;
  /** On rows that were held out. */
  readonly heldOut: Accuracy | undefined;
  /** Of the rows held out, where there are some. */
  readonly confusion: Confusion;
  readonly margins: Margins;
  /** None where the border is bent. */
  readonly planes: readonly Plane[];
  readonly hardest: readonly HardRow[];
  readonly fitMs: number;
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
  readonly change: Partial<Pick<ReadRequest, 'label' | 'header' | 'ignore'>>;
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
  /** Share of this pass. */
  readonly share: number;
  /** Of the last whole pass. */
  readonly mistakes: number | undefined;
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
  /** The page shows these, and will ask for no others. */
  | { readonly do: 'keep'; readonly data?: number; readonly model?: number };

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
  | { readonly id: number; readonly done: Summary | Results | Blob | undefined }
  | { readonly id: number; readonly trouble: Trouble }
  | { readonly id: number; readonly isCancelled: true };
