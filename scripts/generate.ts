import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeClient } from '../sdk/scripts/generate.ts';
import { writePythonClient } from '../sdk-python/scripts/generate.ts';
import { catalog, describedBy } from '../server/catalog.ts';
import { openApi } from '../server/http/pages/openapi/document.ts';
import { acceptedIn, breakingChanges, isAccepted } from '../server/test/contract/breaking_changes.ts';
import { commandsMarkdown } from './commands_reference.ts';
import {
  dashboardCatalog,
  dashboardExports,
  dashboardMails,
  dashboardOperations,
  dashboardRights,
} from './dashboard_catalog.ts';
import { errorsMarkdown } from './errors_reference.ts';
import { eventsMarkdown } from './events_reference.ts';
import { frozenRecord } from './frozen_record.ts';
import { contentsMarkdown } from './guides_reference.ts';
import { localesMarkdown } from './locales_reference.ts';
import { migrationsRecord } from './migrations_record.ts';
import { recordExamples } from './record-examples.ts';
import { rolesMarkdown } from './roles_reference.ts';
import { scopesMarkdown } from './scopes_reference.ts';
import { settingsMarkdown } from './settings_reference.ts';

const root = join(import.meta.dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** The recorded copy of the OpenAPI document. */
export const recordedFile = 'docs/openapi.json';

/** The files that are made from the catalog and other sources of the server, by their paths in the repository. */
export const generatedFiles: Readonly<Record<string, () => string>> = {
  'docs/errors.md': errorsMarkdown,
  'docs/settings.md': settingsMarkdown,
  'docs/locales.md': localesMarkdown,
  'docs/README.md': () => contentsMarkdown(textOf('docs/README.md')),
  'docs/commands.md': () => commandsMarkdown(textOf('docs/commands.md')),
  'docs/events.md': () => eventsMarkdown(textOf('docs/events.md')),
  'docs/authentication.md': () => scopesMarkdown(textOf('docs/authentication.md')),
  'docs/people.md': () => rolesMarkdown(textOf('docs/people.md')),
  [recordedFile]: () => `${JSON.stringify(openApi(describedBy(catalog)), null, 2)}\n`,
  'dashboard/src/generated/catalog.ts': dashboardCatalog,
  'dashboard/src/generated/exports.ts': dashboardExports,
  'dashboard/src/generated/mails.ts': dashboardMails,
  'dashboard/src/generated/operations.ts': dashboardOperations,
  'dashboard/src/generated/rights.ts': dashboardRights,
  'server/migrations/checksums.txt': () => migrationsRecord(textOf('server/migrations/checksums.txt')),
  'server/test/frozen.txt': () => frozenRecord(textOf('server/test/frozen.txt')),
};

/** What the catalog breaks of the recorded copy, without what `docs/versions.md` lists. */
export function unacceptedBreaks(): string[] {
  if (!existsSync(join(root, recordedFile))) return [];
  const accepted = acceptedIn(textOf('docs/versions.md'));
  const found = breakingChanges(JSON.parse(textOf(recordedFile)), openApi(describedBy(catalog)));
  return found.filter((change) => !isAccepted(change, accepted));
}

if (import.meta.main) {
  const breaks = unacceptedBreaks();
  if (breaks.length > 0) {
    console.error('These changes break programs that use the API. Take them back, or list them in docs/versions.md:');
    for (const change of breaks) console.error(`- ${change}`);
    process.exit(1);
  }
  recordExamples(); // first: the document shows them
  console.log('Wrote server/http/pages/openapi/examples.json.');
  for (const [path, make] of Object.entries(generatedFiles)) {
    writeFileSync(join(root, path), make());
    console.log(`Wrote ${path}.`);
  }
  console.log(`Wrote ${writeClient()} files in sdk/src/generated.`);
  console.log(`Wrote ${writePythonClient()} files in sdk-python/tollgate/generated.`);
}
