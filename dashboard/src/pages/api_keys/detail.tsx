import { Button, Group, Text } from '@mantine/core';
import type { ApiKey, IssuedApiKey } from '@tollgate/node';
import { useState } from 'react';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { useDialog } from '../../kit/action_dialog.tsx';
import { DetailPage, type Fact, momentFact, Section } from '../../kit/detail_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { Status, wordsOf } from '../../kit/status.tsx';
import { NamedId } from '../../nouns/named_id.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { RequestsOf } from '../request_log/requests_of.tsx';
import { narrowKey, renameKey, revokeKey, rollKey } from './actions.tsx';
import style from './api_keys.module.css';
import { IssuedDialog } from './issued.tsx';
import { shownKeyStatus } from './list.tsx';
import { isKeyBeyond, narrowerScopes, withoutIncluded } from './scopes.ts';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['api_keys', id], (api, options) => api.apiKeys.retrieve(id, options));
  const [issued, setIssued] = useState<IssuedApiKey>();
  return (
    <>
      <DetailPage<ApiKey>
        reading={reading}
        list={{ path: '/api-keys', title: 'API keys' }}
        id={id}
        headline={({ name }) => name}
        status={(key) => <Status {...shownKeyStatus(key)} />}
        story={storyOf}
        actions={(key) => <Actions apiKey={key} onIssued={setIssued} />}
        facts={factsOf}
      >
        {(key) => (
          <>
            <Allowed apiKey={key} onIssued={setIssued} />
            <RequestsOf filter={{ api_key: id }} />
          </>
        )}
      </DetailPage>
      {issued && <IssuedDialog issued={issued} onClose={() => setIssued(undefined)} />}
    </>
  );
}

function storyOf({ kind, mode, scopes = [], status }: ApiKey): string {
  if (status !== 'active') return `No longer works. It was for ${mode} mode.`;
  const count = withoutIncluded(scopes).length;
  return kind === 'secret'
    ? `Can do everything in ${mode} mode. Keep it on your server.`
    : `Can use ${count === 1 ? 'one scope' : `${count} scopes`} in ${mode} mode.`;
}

function factsOf(key: ApiKey): Fact[] {
  const { kind, mode, hint, last_used, expires_at, revoked_at, rolled_to, allowed_ips, status } = key;
  return [
    ['Kind', wordsOf(kind)],
    ['Key', <code key="key">{`${kind === 'secret' ? 'sk' : 'rk'}_${mode}_tg_…${hint}`}</code>],
    ['Last used', last_used === undefined ? 'Never' : <Moment key="used" seconds={last_used} isRelative />],
    momentFact('Created', key.created),
    momentFact('Expires', expires_at),
    momentFact(status === 'revoked' ? 'Revoked' : 'Works until', revoked_at),
    ['Replaced by', rolled_to && <NamedId id={rolled_to} />],
    ['Allowed addresses', allowed_ips?.join(', ')],
    ['Requests', key.signature_required ? 'Signed only' : undefined],
  ];
}

type KeyProps = { apiKey: ApiKey; onIssued(key: IssuedApiKey): void };

/** Only what its status and the role allow. */
function Actions({ apiKey, onIssued }: KeyProps) {
  const { has } = useWorkspace();
  const isActive = apiKey.status === 'active';
  const canRoll = isActive && !isKeyBeyond(apiKey, has);
  return (
    <ActionButtons
      actions={[
        { title: 'Rename', calls: 'api_keys.update', dialog: renameKey(apiKey) },
        { title: 'Roll', calls: 'api_keys.roll', isPossible: canRoll, dialog: rollKey(apiKey, onIssued) },
        { title: 'Revoke', calls: 'api_keys.revoke', isPossible: isActive, dialog: revokeKey(apiKey) },
      ]}
    />
  );
}

/** What the key may do, beside what it does. */
function Allowed({ apiKey, onIssued }: KeyProps) {
  const { dialog, open } = useDialog();
  const { kind, scopes = [], used_scopes, status } = apiKey;
  const used = withoutIncluded(used_scopes);
  const shown = kind === 'secret' ? used : withoutIncluded(scopes);
  return (
    <Section title={kind === 'secret' ? 'Permissions in use' : 'Permissions'}>
      {shown.length > 0 && (
        <ul className={style.scopes}>
          {shown.map((scope) => (
            <Group key={scope} component="li" justify="space-between" gap={12} wrap="nowrap">
              <code>{scope}</code>
              <Status {...usageOf(scope, used)} />
            </Group>
          ))}
        </ul>
      )}
      {status === 'active' && (
        <Narrow
          apiKey={apiKey}
          hasRows={shown.length > 0}
          onNarrow={(narrower) => open(narrowKey(apiKey, narrower, onIssued))}
        />
      )}
      {/* Here, because it may revoke the key: another try after a lost answer still has the secret to show. */}
      {dialog}
    </Section>
  );
}

/** A key that may write has perhaps only read. */
function usageOf(scope: string, used: readonly string[]) {
  if (used.includes(scope)) return { status: 'used', tone: 'good' as const };
  const hasRead = used.includes(scope.replace(':write', ':read'));
  return { status: hasRead ? 'only_read' : 'not_used', tone: 'quiet' as const };
}

type NarrowProps = { apiKey: ApiKey; hasRows: boolean; onNarrow(scopes: string[]): void };

function Narrow({ apiKey, hasRows, onNarrow }: NarrowProps) {
  const { may, has } = useWorkspace();
  const narrower = narrowerScopes(apiKey);
  const canNarrow = may('api_keys.update') && (apiKey.kind === 'restricted' || !isKeyBeyond(apiKey, has));
  const since = <Moment seconds={apiKey.used_scopes_since} />;
  return (
    <Group justify="space-between" gap="0.75rem 1.5rem" mt={hasRows ? 14 : 0}>
      <Text flex="1 1 22rem">
        {apiKey.used_scopes.length === 0 && (
          <>No request has used the key since {since}. If nothing needs it, revoke it.</>
        )}
        {narrower !== undefined && (
          <>
            Since {since} the key has used {narrower.length === 1 ? 'only ' : 'only these: '}
            {narrower.join(', ')}. Narrow the key to limit the damage if it leaks.
          </>
        )}
        {apiKey.used_scopes.length > 0 && narrower === undefined && <>Since {since} the key has used all of them.</>}
      </Text>
      {narrower !== undefined && canNarrow && (
        <Button variant="light" onClick={() => onNarrow(narrower)}>
          Narrow the key
        </Button>
      )}
    </Group>
  );
}
