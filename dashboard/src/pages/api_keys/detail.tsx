import { Button } from '@mantine/core';
import type { ApiKey, IssuedApiKey } from '@tollgate/node';
import { useState } from 'react';
import { DetailPage, type Fact, Section } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { Status, wordsOf } from '../../kit/status.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { RequestsOf } from '../request_log/requests_of.tsx';
import { NarrowDialog, RenameDialog, RevokeDialog, RollDialog } from './actions.tsx';
import style from './api_keys.module.css';
import { IssuedDialog } from './issued.tsx';
import { shownKeyStatus } from './list.tsx';
import { isKeyBeyond, narrowerScopes, withoutIncluded } from './scopes.ts';

type Dialog = 'rename' | 'roll' | 'revoke' | 'narrow';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['api_keys', id], (api, options) => api.apiKeys.retrieve(id, options));
  const [dialog, setDialog] = useState<Dialog>();
  const [issued, setIssued] = useState<IssuedApiKey>();
  return (
    <>
      <DetailPage<ApiKey>
        reading={reading}
        list={{ path: '/api-keys', title: 'API keys' }}
        id={id}
        headline={({ name }) => name}
        status={(key) => <Status {...shownKeyStatus(key)} />}
        actions={(key) => <Actions apiKey={key} onOpen={setDialog} />}
        facts={factsOf}
      >
        {(key) => (
          <>
            <Allowed apiKey={key} onNarrow={() => setDialog('narrow')} />
            <RequestsOf filter={{ api_key: id }} />
          </>
        )}
      </DetailPage>
      {reading.data && dialog && (
        <Dialogs name={dialog} apiKey={reading.data} onIssued={setIssued} onClose={() => setDialog(undefined)} />
      )}
      {issued && <IssuedDialog issued={issued} onClose={() => setIssued(undefined)} />}
    </>
  );
}

function factsOf(key: ApiKey): Fact[] {
  const { kind, mode, hint, last_used, expires_at, revoked_at, rolled_to, allowed_ips, status } = key;
  const moment = (seconds: number | undefined) => seconds && <Moment seconds={seconds} />;
  return [
    ['Kind', wordsOf(kind)],
    ['Key', <code key="key">{`${kind === 'secret' ? 'sk' : 'rk'}_${mode}_tg_…${hint}`}</code>],
    ['Last used', moment(last_used) ?? 'Never'],
    ['Created', moment(key.created)],
    ['Expires', moment(expires_at)],
    [status === 'revoked' ? 'Revoked' : 'Works until', moment(revoked_at)],
    ['Replaced by', rolled_to && <IdLink id={rolled_to} />],
    ['Allowed addresses', allowed_ips?.join(', ')],
    ['Requests', key.signature_required ? 'Signed only' : undefined],
  ];
}

/** Only what its status and the role allow. */
function Actions({ apiKey, onOpen }: { apiKey: ApiKey; onOpen(dialog: Dialog): void }) {
  const { may } = useWorkspace();
  if (!may('change')) return null;
  const isActive = apiKey.status === 'active';
  return (
    <>
      <Button variant="default" onClick={() => onOpen('rename')}>
        Rename
      </Button>
      {isActive && !isKeyBeyond(apiKey, may) && (
        <Button variant="default" onClick={() => onOpen('roll')}>
          Roll
        </Button>
      )}
      {isActive && (
        <Button variant="default" onClick={() => onOpen('revoke')}>
          Revoke
        </Button>
      )}
    </>
  );
}

type DialogsProps = { name: Dialog; apiKey: ApiKey; onIssued(key: IssuedApiKey): void; onClose(): void };

function Dialogs({ name, apiKey, onIssued, onClose }: DialogsProps) {
  const [scopes] = useState(() => narrowerScopes(apiKey) ?? []);
  if (name === 'rename') return <RenameDialog apiKey={apiKey} onClose={onClose} />;
  if (name === 'roll') return <RollDialog apiKey={apiKey} onIssued={onIssued} onClose={onClose} />;
  if (name === 'revoke') return <RevokeDialog apiKey={apiKey} onClose={onClose} />;
  return <NarrowDialog apiKey={apiKey} scopes={scopes} onIssued={onIssued} onClose={onClose} />;
}

/** What the key may do, beside what it does. */
function Allowed({ apiKey, onNarrow }: { apiKey: ApiKey; onNarrow(): void }) {
  const { kind, scopes = [], used_scopes, status } = apiKey;
  const used = withoutIncluded(used_scopes);
  const shown = kind === 'secret' ? used : withoutIncluded(scopes);
  return (
    <Section title={kind === 'secret' ? 'Full access' : 'Scopes'}>
      {shown.length > 0 && (
        <ul className={style.scopes}>
          {shown.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
              <Status {...usageOf(scope, used)} />
            </li>
          ))}
        </ul>
      )}
      {status === 'active' && <Narrow apiKey={apiKey} hasRows={shown.length > 0} onNarrow={onNarrow} />}
    </Section>
  );
}

/** A key that may write has perhaps only read. */
function usageOf(scope: string, used: readonly string[]) {
  if (used.includes(scope)) return { status: 'used', tone: 'good' as const };
  const hasRead = used.includes(scope.replace(':write', ':read'));
  return { status: hasRead ? 'only_read' : 'not_used', tone: 'quiet' as const };
}

function Narrow({ apiKey, hasRows, onNarrow }: { apiKey: ApiKey; hasRows: boolean; onNarrow(): void }) {
  const { may } = useWorkspace();
  const narrower = narrowerScopes(apiKey);
  const canNarrow = may('change') && (apiKey.kind === 'restricted' || !isKeyBeyond(apiKey, may));
  const since = <Moment seconds={apiKey.used_scopes_since} />;
  return (
    <div className={style.narrow} style={{ marginTop: hasRows ? '0.875rem' : 0 }}>
      <p>
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
      </p>
      {narrower !== undefined && canNarrow && (
        <Button variant="light" onClick={onNarrow}>
          Narrow the key
        </Button>
      )}
    </div>
  );
}
