// The help, made from the table of options, with examples first.

import type { Option } from './arguments.js';
import { COMMANDS, type CommandInfo } from './options.js';
import { wrap } from './tables.js';

const NAME = 'perceptron-wasm';
const HELP_WIDTH = 100;
const INDENT = 30;

export function overview(version: string): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return `${NAME} ${version}: perceptrons from the command line

${COMMANDS.map(({ name, summary }) => `  ${NAME} ${name.padEnd(width)}   ${summary}`).join('\n')}

Try it
  ${NAME} gen separable --rows 500 --cols 5 -o data.txt
  ${NAME} train data.txt -o model.json
  ${NAME} predict model.json data.txt

  ${NAME} COMMAND --help   examples and all options of a command
  ${NAME} --version

Exit status: 0 done, 1 an error, 2 wrong usage, 130 interrupted (Ctrl-C). DEBUG=1 shows the stack of an error.
`;
}

export function helpFor({ name, usage, summary, about, examples, groups }: CommandInfo): string {
  const shown = examples.map(([command, meaning]) => `  ${NAME} ${command}\n      ${meaning}`);
  const listed = groups.map(
    ([title, options]) =>
      `${title}\n${Object.entries(options)
        .map(([key, option]) => optionHelp(key, option))
        .join('\n')}`,
  );
  return `${NAME} ${name} ${usage}

${wrap(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`, 0, HELP_WIDTH)}

Examples
${shown.join('\n')}

${wrap(about, 0, HELP_WIDTH)}

${listed.join('\n\n')}
`;
}

function optionHelp(name: string, { short, placeholder, help, fallback }: Option<unknown>): string {
  const flags = `${short ? `-${short}, ` : ''}--${name}${placeholder ? ` ${placeholder}` : ''}`;
  const meaning = `${help}${fallback ? ` (default: ${fallback})` : ''}`;
  const beside = wrap(meaning, INDENT, HELP_WIDTH);
  // If the flags are too long, the description goes to the next line.
  return flags.length + 4 > INDENT ? `  ${flags}\n${beside}` : `  ${flags.padEnd(INDENT - 2)}${beside.trimStart()}`;
}
