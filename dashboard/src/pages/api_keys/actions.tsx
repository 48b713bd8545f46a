import type { ApiKey, IssuedApiKey } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { form, selectField, textField } from '../../kit/form_dialog.tsx';
import { shortened } from '../../kit/shortened.ts';
import { withoutIncluded } from './scopes.ts';

type OnIssued = (key: IssuedApiKey) => void;

const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: 'For 1 hour' },
  { value: '24', label: 'For 24 hours' },
  { value: '72', label: 'For 3 days' },
  { value: '168', label: 'For 7 days' },
];

const overlapField = selectField('Keep the old key working', overlaps, '24', { hasFocus: true });

/** What becomes of the old key. */
function endWords(hours: string): string {
  if (hours === '0')
    return 'The old key stops working within a second. Programs that use it fail until they have the new one.';
  const overlap = overlaps
    .find(({ value }) => value === hours)!
    .label.toLowerCase()
    .replace('for ', '');
  return `The old key works for another ${overlap}. Switch your programs to the new one before then.`;
}

export function rollKey(apiKey: ApiKey, onIssued: OnIssued): OpenDialog {
  return form({
    title: 'Roll this key',
    fields: { overlap_hours: overlapField },
    describe: ({ overlap_hours: hours }) => ({
      confirm: `Roll the key ${shortened(apiKey.name)}`,
      isDangerous: hours === '0',
      params: { overlap_hours: Number(hours) },
      preview: [
        'A new key with the same permissions is created and shown once.',
        endWords(hours),
        <>
          The audit log records <code>key.rolled</code>.
        </>,
      ],
    }),
    run: (api, params, options) => api.apiKeys.roll(apiKey.id, params, options),
    done: ({ name }) => `Key ${name} rolled`,
    onDone: onIssued,
  });
}

export function revokeKey(apiKey: ApiKey): OpenDialog {
  return confirmation({
    title: 'Revoke this key',
    confirm: `Revoke the key ${shortened(apiKey.name)}`,
    isDangerous: true,
    preview: [
      'The key stops working within a second. Programs that use it fail.',
      'This cannot be undone. To replace the key without downtime, roll it instead.',
      <>
        The audit log records <code>key.revoked</code>.
      </>,
    ],
    run: (api, options) => api.apiKeys.revoke(apiKey.id, {}, options),
    done: ({ name }) => `Key ${name} revoked`,
  });
}

export function renameKey(apiKey: ApiKey): OpenDialog {
  return form({
    title: 'Rename this key',
    fields: { name: textField('Name', apiKey.name, { maxLength: 200, hasFocus: true }) },
    describe: ({ name }) => ({
      confirm: `Rename to ${shortened(name.trim())}`,
      params: name.trim() === '' || name.trim() === apiKey.name ? undefined : { name: name.trim() },
      preview: ['Only the name changes. The key itself stays the same.'],
    }),
    run: (api, params, options) => api.apiKeys.update(apiKey.id, params, options),
    done: (renamed) => `Key renamed to ${renamed.name}`,
  });
}

/** A restricted key loses scopes in place. A secret key is followed by a restricted one. */
export function narrowKey(apiKey: ApiKey, scopes: string[], onIssued: OnIssued): OpenDialog {
  return apiKey.kind === 'secret' ? replaceByNarrower(apiKey, scopes, onIssued) : takeAway(apiKey, scopes);
}

const rareWork = 'Jobs that run less often than every 30 days may use scopes that are not counted here.';
const countWords = (scopes: string[]) => (scopes.length === 1 ? scopes[0] : `${scopes.length} scopes`);

function takeAway(apiKey: ApiKey, scopes: string[]): OpenDialog {
  const lost = withoutIncluded(apiKey.scopes ?? []).filter((scope) => !scopes.includes(scope));
  return confirmation({
    title: 'Narrow this key',
    confirm: `Narrow to ${countWords(scopes)}`,
    preview: [
      `The key keeps ${scopes.join(', ')} only. Programs can go on using it.`,
      `It loses ${lost.join(', ')}. Scopes cannot be added back: that takes a new key.`,
      rareWork,
      <>
        The audit log records <code>key.updated</code>.
      </>,
    ],
    run: (api, options) => api.apiKeys.update(apiKey.id, { scopes }, options),
    done: ({ name }) => `Key ${name} narrowed`,
  });
}

function replaceByNarrower(apiKey: ApiKey, scopes: string[], onIssued: OnIssued): OpenDialog {
  return form({
    title: 'Replace this key with a narrower one',
    fields: { overlap_hours: overlapField },
    describe: ({ overlap_hours: hours }) => ({
      confirm: `Create a key with ${countWords(scopes)}`,
      params: { overlap_hours: Number(hours), scopes },
      preview: [
        `Secret keys cannot be narrowed. A restricted key with ${scopes.join(', ')} is created and shown once.`,
        endWords(hours),
        rareWork,
        <>
          The audit log records <code>key.created</code> and <code>key.rolled</code>.
        </>,
      ],
    }),
    run: (api, params, options) => api.apiKeys.roll(apiKey.id, params, options),
    done: ({ name }) => `Restricted key ${name} created`,
    onDone: onIssued,
  });
}
