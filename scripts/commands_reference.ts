import type { Command } from 'commander';
import { abouts, operations } from '../server/catalog.ts';
import { program } from '../server/commands/cli.ts';
import { exampleShown, headings, jsonShown, namesOf } from '../server/commands/command.ts';

const ofOperator = program();
const ofApi = program({ operations, abouts });

/** The parts of the guide that are made from the commands, by the names in its markers. The rest is written by hand. */
const parts: Readonly<Record<string, () => string>> = {
  resources: resourcesInWords,
  'commands of the API': apiCommands,
  'commands of the operator': operatorCommands,
  'what each command prints': printed,
};

const markers = /(<!-- made by `npm run generate`: ([\w ]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** The guide, with each part that has markers made anew. */
export function commandsMarkdown(guide: string): string {
  return guide.replaceAll(markers, (_, begin, name, end) => `${begin}\n${parts[name]!()}\n\n${end}`);
}

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
    const commands = ofOperator.commands.filter((one) => one.helpGroup() === heading).flatMap(leavesOf);
    return [`### ${heading === '' ? 'Beside the API' : heading}`, ...commands.map(described)].join('\n\n');
  });
  return sections.join('\n\n');
}

function described(command: Command): string {
  const helper = ofOperator.createHelp();
  const options = command.options.filter(({ long, hidden }) => long !== '--json' && !hidden);
  const items = options.map((option) => {
    const isRequired = option.mandatory ? ' (required)' : '';
    return `- \`${option.flags}\`${isRequired}: ${helper.optionDescription(option)}`;
  });
  return [
    `**\`${usageOf(command)}\`** ${sentence(command.description())}`,
    ...(items.length === 0 ? [] : [items.join('\n')]),
    ['```text', exampleShown(command)!, '```'].join('\n'),
  ].join('\n\n');
}

function printed(): string {
  const rows = leavesOf(ofOperator).flatMap((command) => {
    const prints = jsonShown(command);
    return prints === undefined ? [] : [`| \`${nameOf(command)}\` | ${prints} |`];
  });
  return ['| command | with `--json` |', '|---|---|', ...rows].join('\n');
}
