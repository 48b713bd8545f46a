import { TextInput } from '@mantine/core';
import type { ProcessorAccount } from '@tollgate/node';
import { ActionDialog, confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { useDialogForm } from '../../kit/dialog_form.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { useConnectors } from './add.tsx';
import { ConnectorFields, changed, entered, fieldTitle, type Members, shownSetting } from './fields.tsx';

type DialogProps = { account: ProcessorAccount; onClose(): void };

/** That the credentials do not work is an answer, and is shown as what it is: a refusal, in the words of the processor. */
export function verifyProcessor(account: ProcessorAccount): OpenDialog {
  const processor = wordsOf(account.connector);
  return confirmation({
    title: `Verify ${account.name}`,
    confirm: `Verify with ${processor}`,
    preview: [
      `The gateway checks with ${processor} whether the credentials work. This takes up to 15 seconds.`,
      'No money moves. If they work, the account shows when they were verified.',
    ],
    run: async (api, options) => {
      const { ok, message } = await api.processorAccounts.verify(account.id, {}, options);
      if (!ok) throw new Error(message);
      return message;
    },
    done: (message) => message,
  });
}

export function switchProcessor(account: ProcessorAccount): OpenDialog {
  const { name, enabled } = account;
  return confirmation({
    title: `${enabled ? 'Disable' : 'Enable'} ${name}`,
    confirm: `${enabled ? 'Disable' : 'Enable'} ${name}`,
    isDangerous: enabled,
    preview: enabled
      ? [
          'Within a second, it takes no new payments and routing rules skip it.',
          'Captures, refunds, disputes and notices of existing payments continue.',
        ]
      : ['Within a second, it takes new payments again: by routing rules or, without rules, in order of age.'],
    run: (api, options) => api.processorAccounts.update(account.id, { enabled: !enabled }, options),
    done: (now) => `${now.name} ${now.enabled ? 'enabled' : 'disabled'}`,
  });
}

export function deleteProcessor(account: ProcessorAccount): OpenDialog {
  return confirmation({
    title: `Delete ${account.name}`,
    confirm: `Delete ${account.name}`,
    isDangerous: true,
    preview: [
      'The account and its credentials are deleted. This cannot be undone.',
      'An account with payments, payment methods or routing rules cannot be deleted. Disable it instead.',
    ],
    run: (api, options) => api.processorAccounts.delete(account.id, options),
    leadsTo: () => '/settings/processors',
    done: () => `${account.name} deleted`,
  });
}

export function UpdateDialog({ account, onClose }: DialogProps) {
  const connector = useConnectors().find(({ name }) => name === account.connector);
  const {
    values: fields,
    input,
    part,
    held,
  } = useDialogForm('processor', () => ({
    name: account.name,
    credentials: {} as Members,
    settings: account.settings as Members,
  }));
  const { name, credentials, settings } = fields;
  const [secrets, values] = [entered(credentials), changed(account.settings, settings)];
  const params = {
    ...(name.trim() !== account.name && { name: name.trim() }),
    ...(Object.keys(secrets).length > 0 && { credentials: secrets }),
    ...(Object.keys(values).length > 0 && { settings: values }),
  };
  const isSame = Object.keys(params).length === 0 || name.trim() === '';
  return (
    <ActionDialog
      title={`Update ${account.name}`}
      {...held}
      confirm={`Update ${account.name}`}
      params={isSame ? undefined : params}
      preview={isSame ? ['No changes yet.'] : changesInWords(params, account)}
      run={(api, sent, options) => api.processorAccounts.update(account.id, sent, options)}
      done={(now) => `${now.name} updated`}
      onClose={onClose}
    >
      <TextInput label="Name" data-autofocus {...input('name')} />
      {connector && (
        <>
          <ConnectorFields fields={connector.credentials} part={(one) => part('credentials', one)} areSecret isUpdate />
          <ConnectorFields fields={connector.settings} part={(one) => part('settings', one)} isUpdate />
        </>
      )}
    </ActionDialog>
  );
}

type Changes = { name?: string; credentials?: object; settings?: object };

function changesInWords({ name, credentials, settings }: Changes, account: ProcessorAccount): string[] {
  const names = Object.keys(credentials ?? {});
  return [
    ...(name === undefined ? [] : [`It is renamed to ${name}.`]),
    ...(names.length === 0
      ? []
      : [`${names.map(fieldTitle).join(' and ')}: the old value is destroyed, the new one is never shown again.`]),
    ...(names.includes('webhook_secret')
      ? ['Notices signed with the previous webhook secret are accepted for another 24 hours.']
      : []),
    ...(names.length > 0 && account.last_verified !== undefined
      ? ['The processor is asked first: credentials of another account are rejected.']
      : []),
    ...Object.entries(settings ?? {}).map(
      ([setting, value]) => `${fieldTitle(setting)} becomes ${shownSetting(value)}.`,
    ),
    'Takes effect within a second. Requests in flight are not affected.',
  ];
}
