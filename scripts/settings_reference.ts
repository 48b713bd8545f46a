import type { AnySetting } from '../server/base/setting.ts';
import { settingGroups } from '../server/config.ts';

const introduction = `<!--
group: Running Tollgate
position: 20
question: Which settings are there, and what are their defaults and limits?
words: environment variables, configuration
-->

# Settings

<!-- Made from the settings that server/config.ts, server/config and the connectors declare by \`npm run generate\`. Edit them, not this file. -->

All settings are environment variables. All errors in them are reported together, before anything starts. An unknown variable that
begins with \`TOLLGATE_\` is refused, because it is probably a typing error. An empty value counts as unset.

A default after \`serve:\` is that of \`tollgate serve\`; all other commands have the first. A limit that is *divided* is one of the whole
server: each of the [processes](operations.md#more-than-one-processor) of \`serve\` has its part of it.
`;

export function settingsMarkdown(): string {
  const sections = Object.entries(settingGroups()).map(([title, settings]) =>
    [
      `## ${title}`,
      '',
      '| variable | default | values | meaning |',
      '|---|---|---|---|',
      ...settings.map(rowOf),
      '',
    ].join('\n'),
  );
  return [introduction, ...sections].join('\n');
}

function rowOf(setting: AnySetting): string {
  return `| \`${setting.name}\` | ${defaultOf(setting)} | ${valuesOf(setting)} | ${setting.meaning} |`;
}

function defaultOf({ default: value, defaultInWords }: AnySetting): string {
  if (defaultInWords !== undefined) return defaultInWords;
  if (typeof value === 'object') return `${shown(value.otherwise)}; \`serve\`: ${shown(value.serve)}`;
  return shown(value);
}

function shown(value: string | number | undefined): string {
  return value === undefined || value === '' ? 'none' : `\`${value}\``;
}

function valuesOf(setting: AnySetting): string {
  if ('choices' in setting) return setting.choices.map((choice) => `\`${choice}\``).join(', ');
  if (!('range' in setting)) return '';
  const limits = setting.range.map((limit) => limit.toLocaleString('en')).join(' to ');
  return setting.perProcess === 'divided' ? `${limits}, divided` : limits;
}
