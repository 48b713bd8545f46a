import { Select, TextInput } from '@mantine/core';
import type { Connector, ProcessorAccountsCreateParameters } from '@tollgate/node';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { useDialogForm } from '../../kit/dialog_form.tsx';
import { useRead } from '../../kit/read.ts';
import { wordsOf } from '../../kit/status.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { ConnectorFields, entered, type Members } from './fields.tsx';

export function useConnectors(): readonly Connector[] {
  return useRead(['connectors'], (api, options) => api.processorAccounts.connectors(options)).data?.data ?? [];
}

/** The first connector is chosen until another one is. Fields of one are not sent to another. */
export function AddDialog({ onClose }: { onClose(): void }) {
  const { mode } = useWorkspace();
  const connectors = useConnectors();
  const { values, setValues, input, part, held } = useDialogForm('processor', () => ({
    connector: null as string | null,
    name: '',
    credentials: {} as Members,
    settings: {} as Members,
  }));
  const { name, credentials, settings } = values;
  const connector = connectors.find((one) => one.name === values.connector) ?? connectors[0];
  const params = paramsOf(connector, name, credentials, settings);
  return (
    <ActionDialog
      title={`Add a processor in ${mode} mode`}
      {...held}
      confirm={name.trim() === '' ? 'Add the processor' : `Add ${name.trim()}`}
      params={params}
      preview={[
        'The credentials are stored encrypted and never shown again.',
        'Within a second, it takes new payments: by routing rules or, without rules, after older accounts.',
        'Next, verify the account and enter its notice URL at the processor.',
      ]}
      run={(api, sent, options) => api.processorAccounts.create(sent, options)}
      done={({ name: added }) => `${added} added. Verify it next.`}
      leadsTo={({ id }) => `/settings/processors/${id}`}
      onClose={onClose}
    >
      <Select
        label="Connector"
        data={connectors.map((one) => ({ value: one.name, label: wordsOf(one.name) }))}
        allowDeselect={false}
        {...input('connector')}
        value={connector?.name ?? null}
        onChange={(chosen) => setValues({ connector: chosen, credentials: {}, settings: {} })}
      />
      <TextInput label="Name" description="A name for the account" data-autofocus {...input('name')} />
      {connector && (
        <>
          <ConnectorFields fields={connector.credentials} part={(one) => part('credentials', one)} areSecret />
          <ConnectorFields fields={connector.settings} part={(one) => part('settings', one)} />
        </>
      )}
    </ActionDialog>
  );
}

function paramsOf(
  connector: Connector | undefined,
  name: string,
  credentials: Members,
  settings: Members,
): ProcessorAccountsCreateParameters | undefined {
  if (connector === undefined || name.trim() === '') return undefined;
  const [secrets, values] = [entered(credentials), entered(settings)];
  if (connector.credentials.some((field) => field.required && secrets[field.name] === undefined)) return undefined;
  return {
    connector: connector.name,
    name: name.trim(),
    ...(Object.keys(secrets).length > 0 && { credentials: secrets }),
    ...(Object.keys(values).length > 0 && { settings: values }),
  };
}
