import type { Command } from 'commander';
import { abouts, operations } from '../server/catalog.ts';
import { program } from '../server/commands/cli.ts';
import { headings, namesOf, notesOf } from '../server/commands/command.ts';
import { type Parts, withParts } from './markers.ts';

const ofOperator = program();
const ofApi = program({ operations, abouts });

const parts: Parts = {
  resources: resourcesInWords,
  'commands of the API': apiCommands,
  'commands of the operator': operatorCommands,
  'what each command prints': printed,
};

/** The guide to the commands, with the lists of them. */
export const commandsMarkdown = (guide: string) => withParts(guide, parts);

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

/** `accounts show`. */
const nameOf = (command: Command) => namesOf(command).slice(1).join(' ');
const usageOf = (command: Command) =>
  [
    nameOf(command),
    ...command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)),
  ].join(' ');
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function apiGroups(): Command[] {
  const resources = new Set(operations.map(({ name }) => name.split('.')[0]!));
  return ofApi.commands.filter((group) => resources.has(group.name()));
}

function resourcesInWords(): string {
  const names = apiGroups().map((group) => {
    const [short] = group.aliases().filter((alias) => alias !== group.name().replaceAll('_', '-'));
    return short === undefined ? `\`${group.name()}\`` : `\`${group.name()}\` (or \`${short}\`)`;
  });
  return `The resources are ${names.join(', ')}. A hyphen in place of an underscore works too.`;
}

function apiCommands(): string {
  const names = new Set(operations.map(({ name }) => name.replace('.', ' ')));
  return apiGroups()
    .map((group) => {
      const rows = group.commands
        .filter((command) => names.has(nameOf(command)))
        .map((command) => `| \`${usageOf(command)}\` | ${command.description()} |`);
      return [`### ${group.name()}`, '', '| command | what it does |', '|---|---|', ...rows].join('\n');
    })
    .join('\n\n');
}

function operatorCommands(): string {
  const sections = [...headings, ''].map((heading) => {
    const groups = ofOperator.commands.filter((one) => one.helpGroup() === heading);
    return [`### ${heading === '' ? 'Beside the API' : heading}`, ...groups.flatMap(groupShown)].join('\n\n');
  });
  return sections.join('\n\n');
}

function groupShown(group: Command): string[] {
  if (group.commands.length === 0) return [described(group)];
  const about = group.description() === '' ? '' : `: ${group.description()}`;
  return [`*${group.name()}*${about}${guideOf(group)}`, ...group.commands.map(described)];
}

function guideOf(command: Command): string {
  const { guide } = notesOf(command);
  return guide === undefined ? '' : ` ([guide](${guide}))`;
}

function described(command: Command): string {
  const helper = ofOperator.createHelp();
  const options = command.options.filter(({ long, hidden }) => long !== '--json' && !hidden);
  const items = options.map((option) => {
    const isRequired = option.mandatory ? ' (required)' : '';
    return `- \`${option.flags}\`${isRequired}: ${helper.optionDescription(option)}`;
  });
  return [
    `**\`${usageOf(command)}\`** ${sentence(command.description())}${guideOf(command)}`,
    ...(items.length === 0 ? [] : [items.join('\n')]),
    ['```text', notesOf(command).example!, '```'].join('\n'),
  ].join('\n\n');
}

function printed(): string {
  const rows = leavesOf(ofOperator).flatMap((command) => {
    const { prints } = notesOf(command);
    return prints === undefined ? [] : [`| \`${nameOf(command)}\` | ${prints} |`];
  });
  return ['| command | with `--json` |', '|---|---|', ...rows].join('\n');
}
