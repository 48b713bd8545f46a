import { Text } from '@mantine/core';
import type { IssuedApiKey } from '@tollgate/node';
import { localCaFile } from '../../kit/ca_file.ts';
import { Command } from '../../kit/copy.tsx';
import { curlOf } from '../../kit/curl.ts';
import { ShownOnce } from '../../kit/shown_once.tsx';
import { firstPathOf } from './scopes.ts';

/** The only time that a key is shown. */
export function IssuedDialog({ issued, onClose }: { issued: IssuedApiKey; onClose(): void }) {
  return (
    <ShownOnce
      title={`The key “${issued.name}”`}
      name="key"
      lines={[issued.key]}
      usage={<TryIt issued={issued} />}
      onClose={onClose}
    >
      <p>
        Copy it now and store it securely. <strong>It is not shown again.</strong>
      </p>
    </ShownOnce>
  );
}

/** A request that the key may send, to see that it works. */
function TryIt({ issued }: { issued: IssuedApiKey }) {
  if (issued.signature_required)
    return (
      <Text mb={6}>
        Requests with this key must be signed: see <a href="/docs/guides/authentication">Authentication</a>.
      </Text>
    );
  const { origin } = location;
  const command = curlOf({ origin, method: 'GET', path: firstPathOf(issued), key: issued.key, caFile: localCaFile() });
  return (
    <div>
      <Text mb={6}>Try it:</Text>
      <Command text={command} />
    </div>
  );
}
