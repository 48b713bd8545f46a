import { Select, TextInput } from '@mantine/core';
import type { ApiKey, IssuedApiKey } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { shortened } from '../../kit/shortened.ts';
import { withoutIncluded } from './scopes.ts';

type DialogProps = { apiKey: ApiKey; onClose(): void };
type IssuingProps = DialogProps & { onIssued(key: IssuedApiKey): void };

const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: 'For 1 hour' },
  { value: '24', label: 'For 24 hours' },
  { value: '72', label: 'For 3 days' },
  { value: '168', label: 'For 7 days' },
];

function OverlapSelect({ hours, onChange }: { hours: string; onChange(hours: string): void }) {
  return (
    <Select
      label="Keep the old key working"
      data={overlaps}
      value={hours}
      allowDeselect={false}
      data-autofocus
      onChange={(value) => onChange(value ?? '24')}
    />
  );
}

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

export function RollDialog({ apiKey, onIssued, onClose }: IssuingProps) {
  const [hours, setHours] = useState('24');
  return (
    <ActionDialog
      title="Roll this key"
      confirm={`Roll the key ${shortened(apiKey.name)}`}
      isDangerous={hours === '0'}
      params={{ overlap_hours: Number(hours) }}
      preview={[
        'A new key with the same permissions is created and shown once.',
        endWords(hours),
        <>
          The audit log records <code>key.rolled</code>.
        </>,
      ]}
      run={(api, params, options) => api.apiKeys.roll(apiKey.id, params, options)}
      done={(issued) => {
        onIssued(issued);
        return `Key ${issued.name} rolled`;
      }}
      onClose={onClose}
    >
      <OverlapSelect hours={hours} onChange={setHours} />
    </ActionDialog>
  );
}

export function RevokeDialog({ apiKey, onClose }: DialogProps) {
  return (
    <ActionDialog
      title="Revoke this key"
      confirm={`Revoke the key ${shortened(apiKey.name)}`}
      isDangerous
      params={{}}
      preview={[
        'The key stops working within a second. Programs that use it fail.',
        'This cannot be undone. To replace the key without downtime, roll it instead.',
        <>
          The audit log records <code>key.revoked</code>.
        </>,
      ]}
      run={(api, params, options) => api.apiKeys.revoke(apiKey.id, params, options)}
      done={({ name }) => `Key ${name} revoked`}
      onClose={onClose}
    />
  );
}

export function RenameDialog({ apiKey, onClose }: DialogProps) {
  const [name, setName] = useState(apiKey.name);
  const wanted = name.trim();
  return (
    <ActionDialog
      title="Rename this key"
      confirm={`Rename to ${shortened(wanted)}`}
      params={wanted === '' || wanted === apiKey.name ? undefined : { name: wanted }}
      preview={['Only the name changes. The key itself stays the same.']}
      run={(api, params, options) => api.apiKeys.update(apiKey.id, params, options)}
      done={(renamed) => `Key renamed to ${renamed.name}`}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={200}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}

type NarrowProps = IssuingProps & { scopes: string[] };

/** A restricted key loses scopes in place. A secret key is followed by a restricted one. */
export function NarrowDialog(props: NarrowProps) {
  return props.apiKey.kind === 'secret' ? <ReplaceByNarrower {...props} /> : <TakeAway {...props} />;
}

const rareWork = 'Jobs that run less often than every 30 days may use scopes that are not counted here.';

function TakeAway({ apiKey, scopes, onClose }: NarrowProps) {
  const lost = withoutIncluded(apiKey.scopes ?? []).filter((scope) => !scopes.includes(scope));
  return (
    <ActionDialog
      title="Narrow this key"
      confirm={`Narrow to ${scopes.length === 1 ? scopes[0] : `${scopes.length} scopes`}`}
      params={{ scopes }}
      preview={[
        `The key keeps ${scopes.join(', ')} only. Programs can go on using it.`,
        `It loses ${lost.join(', ')}. Scopes cannot be added back: that takes a new key.`,
        rareWork,
        <>
          The audit log records <code>key.updated</code>.
        </>,
      ]}
      run={(api, params, options) => api.apiKeys.update(apiKey.id, params, options)}
      done={({ name }) => `Key ${name} narrowed`}
      onClose={onClose}
    />
  );
}

function ReplaceByNarrower({ apiKey, scopes, onIssued, onClose }: NarrowProps) {
  const [hours, setHours] = useState('24');
  return (
    <ActionDialog
      title="Replace this key with a narrower one"
      confirm={`Create a key with ${scopes.length === 1 ? scopes[0] : `${scopes.length} scopes`}`}
      params={{ overlap_hours: Number(hours), scopes }}
      preview={[
        `Secret keys cannot be narrowed. A restricted key with ${scopes.join(', ')} is created and shown once.`,
        endWords(hours),
        rareWork,
        <>
          The audit log records <code>key.created</code> and <code>key.rolled</code>.
        </>,
      ]}
      run={(api, params, options) => api.apiKeys.roll(apiKey.id, params, options)}
      done={(issued) => {
        onIssued(issued);
        return `Restricted key ${issued.name} created`;
      }}
      onClose={onClose}
    >
      <OverlapSelect hours={hours} onChange={setHours} />
    </ActionDialog>
  );
}
