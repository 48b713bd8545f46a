import { Select, TextInput } from '@mantine/core';
import type { Connector, ProcessorAccountsCreateParameters } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { useDraft, useDrafted } from '../../kit/draft.ts';
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
  const draft = useDraft('processor');
  const [chosen, setChosen] = useDrafted<string | null>(draft, 'connector', null);
  const [name, setName] = useDrafted(draft, 'name', '');
  const [credentials, setCredentials] = useState<Members>({});
  const [settings, setSettings] = useDrafted<Members>(draft, 'settings', {});
  const connector = connectors.find((one) => one.name === chosen) ?? connectors[0];
  const params = paramsOf(connector, name, credentials, settings);
  const choose = (value: string | null) => {
    setChosen(value);
    setCredentials({});
    setSettings({});
  };
  return (
    <ActionDialog
      title={`Add a processor in ${mode} mode`}
      draft={draft}
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
        value={connector?.name ?? null}
        allowDeselect={false}
        onChange={choose}
      />
      <TextInput
        label="Name"
        description="A name for the account"
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {connector && (
        <>
          <ConnectorFields fields={connector.credentials} members={credentials} areSecret onChange={setCredentials} />
          <ConnectorFields fields={connector.settings} members={settings} onChange={setSettings} />
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
