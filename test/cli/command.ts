// Runs the built command as a user would: in a process of its own, with files, pipes and signals.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

export const root = resolve(import.meta.dirname, '../..');
export const cli = join(root, 'dist/cli.js');

/** The real sets beside the project, where they are. */
export const shared = resolve(root, '../shared/data');
export const hasShared = existsSync(shared);

export interface Result {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Settings {
  cwd?: string;
  input?: string | Uint8Array;
  /** Whether standard input stays open, as that of a pipe whose writer is busy. */
  keepsInputOpen?: boolean;
  env?: Record<string, string>;
  /** Called with the process once it runs. */
  during?: (child: ChildProcess) => void;
}

/** Runs the command to its end. */
export function run(args: readonly string[], settings: Settings = {}): Promise<Result> {
  return finished(spawn(process.execPath, [cli, ...args], { cwd: settings.cwd, env: environment(settings) }), settings);
}

/** Runs a line of the shell's, in which `$cli` is the command. */
export function shell(line: string, settings: Settings = {}): Promise<Result> {
  const env = { ...environment(settings), cli: `${process.execPath} ${cli}` };
  // Without --norc bash takes a socket as standard input for a remote login, and reads the user's own settings.
  return finished(spawn('bash', ['--norc', '-c', line], { cwd: settings.cwd, env }), settings);
}

const environment = ({ env }: Settings) => ({ PATH: process.env.PATH ?? '', ...env });

function finished(child: ChildProcess, { input, keepsInputOpen, during }: Settings): Promise<Result> {
  return new Promise((done, failed) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk) => out.push(chunk));
    child.stderr?.on('data', (chunk) => err.push(chunk));
    // A command that ends before it has read everything closes the pipe.
    child.stdin?.on('error', () => {});
    if (keepsInputOpen) child.stdin?.write(input ?? '');
    else child.stdin?.end(input ?? '');
    child.on('error', failed);
    child.on('close', (status, signal) => {
      done({ status, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
    during?.(child);
  });
}

/** What the issue asks of an error: its status, one line on standard error, no stack, nothing on standard output. */
export function expectError(result: Result, status: 1 | 2, message: string | RegExp): void {
  expect(result.stderr).toMatch(message);
  expect(result.stderr.trimEnd().split('\n'), result.stderr).toHaveLength(1);
  expect(result.stderr).not.toMatch(/\n\s+at |node:internal|file:\/\//);
  expect(result.stderr).toMatch(/^perceptron-wasm/);
  expect(result.stdout).toBe('');
  expect(result.status).toBe(status);
}

export interface Folder {
  /** A path in it. */
  at(name: string): string;
  write(name: string, content: string | Uint8Array): string;
  read(name: string): string;
  readonly path: string;
}

/** A folder for the tests of a file, gone when they are over. */
export function useFolder(): Folder {
  let path = '';
  beforeAll(() => {
    if (!existsSync(cli)) throw new Error('there is no dist/: run `npm run build` first');
    path = mkdtempSync(join(tmpdir(), 'perceptron-cli-'));
  });
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    at: (name) => join(path, name),
    read: (name) => readFileSync(join(path, name), 'utf8'),
    write(name, content) {
      writeFileSync(join(path, name), content);
      return join(path, name);
    },
    get path() {
      return path;
    },
  };
}

/** The worked example of SPEC §10, in each format. */
export const worked = {
  libsvm: '+1 1:3 2:3\n+1 1:4 2:3\n-1 1:1 2:1\n',
  csv: 'width,height,kind\n3,3,big\n4,3,big\n1,1,small\n',
};

/** Three flowers' worth of a set with three classes. */
export const flowers = [
  'petal,sepal,species',
  ...Array.from({ length: 30 }, (_, i) => {
    const kind = i % 3;
    const wobble = ((i * 7) % 10) / 10;
    return `${[1, 5, 9][kind]! + wobble},${[9, 1, 5][kind]! - wobble},${['setosa', 'versicolor', 'virginica'][kind]}`;
  }),
  '',
].join('\n');

/** An .npy file, version 1.0, of float64 in C order. */
export function npy(values: readonly number[], shape: readonly number[]): Uint8Array {
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
  const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11, ' ');
  const start = Buffer.concat([Buffer.from([0x93]), Buffer.from('NUMPY'), Buffer.from([1, 0, padded.length + 1, 0])]);
  return Buffer.concat([start, Buffer.from(`${padded}\n`), Buffer.from(Float64Array.from(values).buffer)]);
}
