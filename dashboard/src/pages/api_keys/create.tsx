import { Checkbox, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import type { ApiKeysCreateParameters, IssuedApiKey } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { type DialogForm, useDialogForm } from '../../kit/dialog_form.tsx';
import { Moment } from '../../kit/moment.tsx';
import { shortened } from '../../kit/shortened.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { type Fields, noFields, paramsOfFields } from './fields.ts';
import { ScopePicker } from './scope_picker.tsx';
import { isKeyBeyond } from './scopes.ts';

const sentBy = {
  scopes: 'chosen',
  expires_at: 'day',
  allowed_ips: 'addresses',
  signature_required: 'isSigned',
};

type NewKeyProps = { onIssued(key: IssuedApiKey): void; onClose(): void };

export function NewKeyDialog({ onIssued, onClose }: NewKeyProps) {
  const { has, mode } = useWorkspace();
  const noSecret = isKeyBeyond({ kind: 'secret' }, has);
  const form = useDialogForm<Fields>('new', () => ({ ...noFields, kind: noSecret ? 'restricted' : 'secret' }), sentBy);
  const { values: fields, input, held } = form;
  const [openedAt] = useState(() => Math.floor(Date.now() / 1_000));
  const params = paramsOfFields(fields, openedAt);
  return (
    <ActionDialog
      title={`Create a ${mode} key`}
      {...held}
      confirm={params === undefined ? 'Create the key' : `Create the key ${shortened(params.name)}`}
      params={params}
      preview={previewOf(fields, params, mode)}
      run={(api, sent, options) => api.apiKeys.create(sent, options)}
      done={({ name }) => `Key ${name} created`}
      onDone={onIssued}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="For example, the program that uses it"
        maxLength={200}
        autoComplete="off"
        data-autofocus
        {...input('name')}
      />
      <div>
        <SegmentedControl
          fullWidth
          aria-label="Kind"
          value={fields.kind}
          onChange={(kind) => input('kind').onChange(kind as Fields['kind'])}
          data={[
            { value: 'secret', label: 'Secret', disabled: noSecret },
            { value: 'restricted', label: 'Restricted' },
          ]}
        />
        {noSecret && <p>In live mode, only owners can create keys that refund.</p>}
      </div>
      {fields.kind === 'restricted' && <ScopePicker {...input('chosen')} />}
      <Limits form={form} />
    </ActionDialog>
  );
}

const lifetimes = [
  { value: '', label: 'Never' },
  ...[7, 30, 90, 365].map((days) => ({ value: String(days), label: `After ${days} days` })),
  { value: 'day', label: 'On a day' },
];

function Limits({ form: { input } }: { form: DialogForm<Fields> }) {
  const lifetime = input('lifetime');
  const { value: isSigned, ...signed } = input('isSigned');
  return (
    <>
      <Select
        label="Expires"
        data={lifetimes}
        allowDeselect={false}
        {...lifetime}
        onChange={(chosen) => lifetime.onChange(chosen ?? '')}
      />
      {lifetime.value === 'day' && (
        <TextInput label="Day" description="At the start of the day, in your time zone" type="date" {...input('day')} />
      )}
      <Textarea
        label="Allowed addresses"
        description="One IP address or range per line, such as 203.0.113.0/24. Leave empty to allow all."
        autosize
        minRows={1}
        maxRows={6}
        {...input('addresses')}
      />
      <Checkbox label="Accept signed requests only" checked={isSigned} {...signed} />
    </>
  );
}

function previewOf({ kind }: Fields, params: ApiKeysCreateParameters | undefined, mode: string) {
  const { scopes = [], expires_at, allowed_ips = [], signature_required } = params ?? {};
  const restricted = scopes.length > 0 ? `The key can use ${scopes.join(', ')}.` : 'Choose what the key can do.';
  return [
    kind === 'secret' ? `Anyone with the key has full access to ${mode} mode of this account.` : restricted,
    ...(expires_at === undefined
      ? []
      : [
          <>
            It expires on <Moment seconds={expires_at} />.
          </>,
        ]),
    ...(allowed_ips.length === 0 ? [] : [`It works from ${allowed_ips.join(', ')} only.`]),
    ...(signature_required ? ['Requests without a signature are refused.'] : []),
    <>
      The key is shown once. The audit log records <code>key.created</code>.
    </>,
  ];
}
