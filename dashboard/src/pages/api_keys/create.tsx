import { SegmentedControl } from '@mantine/core';
import type { ApiKeysCreateParameters, IssuedApiKey } from '@tollgate/node';
import type { OpenDialog } from '../../kit/action_dialog.tsx';
import {
  checkboxField,
  type Field,
  field,
  form,
  selectField,
  textareaField,
  textField,
} from '../../kit/form_dialog.tsx';
import { Moment } from '../../kit/moment.tsx';
import { shortened } from '../../kit/shortened.ts';
import type { Workspace } from '../../session/workspace.tsx';
import { type Fields, paramsOfFields } from './fields.ts';
import { ScopePicker } from './scope_picker.tsx';
import { type Chosen, isKeyBeyond } from './scopes.ts';

const lifetimes = [
  { value: '', label: 'Never' },
  ...[7, 30, 90, 365].map((days) => ({ value: String(days), label: `After ${days} days` })),
  { value: 'day', label: 'On a day' },
];

export function createKey({ has, mode }: Workspace, onIssued: (key: IssuedApiKey) => void): OpenDialog {
  const openedAt = Math.floor(Date.now() / 1_000);
  return form({
    title: `Create a ${mode} key`,
    fields: {
      name: textField('Name', '', {
        description: 'For example, the program that uses it',
        maxLength: 200,
        autoComplete: 'off',
        hasFocus: true,
      }),
      kind: kindField(isKeyBeyond({ kind: 'secret' }, has)),
      chosen: field<Chosen>({}, (input) => <ScopePicker {...input} />),
      lifetime: selectField('Expires', lifetimes, ''),
      day: textField('Day', '', { description: 'At the start of the day, in your time zone', type: 'date' }),
      addresses: textareaField('Allowed addresses', '', {
        description: 'One IP address or range per line, such as 203.0.113.0/24. Leave empty to allow all.',
        maxRows: 6,
      }),
      isSigned: checkboxField('Accept signed requests only'),
    },
    sentBy: {
      scopes: 'chosen',
      expires_at: 'day',
      allowed_ips: 'addresses',
      signature_required: 'isSigned',
    },
    describe(fields) {
      const params = paramsOfFields(fields, openedAt);
      return {
        confirm: params === undefined ? 'Create the key' : `Create the key ${shortened(params.name)}`,
        params,
        preview: previewOf(fields, params, mode),
        hidden: [
          ...(fields.kind === 'secret' ? (['chosen'] as const) : []),
          ...(fields.lifetime === 'day' ? [] : (['day'] as const)),
        ],
      };
    },
    run: (api, params, options) => api.apiKeys.create(params, options),
    done: ({ name }) => `Key ${name} created`,
    onDone: onIssued,
  });
}

function kindField(noSecret: boolean): Field<Fields['kind']> {
  return field<Fields['kind']>(noSecret ? 'restricted' : 'secret', ({ value, onChange }) => (
    <div>
      <SegmentedControl
        fullWidth
        aria-label="Kind"
        value={value}
        onChange={onChange}
        data={[
          { value: 'secret', label: 'Secret', disabled: noSecret },
          { value: 'restricted', label: 'Restricted' },
        ]}
      />
      {noSecret && <p>In live mode, only owners can create keys that refund.</p>}
    </div>
  ));
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
