import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useClipboard, useDisclosure } from '@mantine/hooks';
import type { IssuedApiKey } from '@tollgate/node';
import { type ReactNode, useEffect, useState } from 'react';
import { Command } from '../../kit/copy.tsx';
import { curlOf, isLocal } from '../../kit/curl.ts';
import { Icon } from '../../kit/icon.tsx';
import style from './api_keys.module.css';
import { firstPathOf } from './scopes.ts';

/** A dialog that makes a key, and then the one that shows it. */
export function useIssued() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [key, show] = useState<IssuedApiKey>();
  const dialog: ReactNode = key && <IssuedDialog issued={key} onClose={() => show(undefined)} />;
  return { isOpen, begin: open, close, show, dialog };
}

/** The only time that a key is shown: it does not go away by mistake. */
export function IssuedDialog({ issued, onClose }: { issued: IssuedApiKey; onClose(): void }) {
  const [isCopied, { open: setCopied }] = useDisclosure(false);
  const [isAsking, { open: ask, close: goBack }] = useDisclosure(false);
  const close = () => (isCopied ? onClose() : ask());
  return (
    <Modal.Root opened onClose={close} closeOnClickOutside={false} centered size="lg">
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content onCopy={setCopied}>
        <div className={style.issuedHead}>
          <Modal.Title>The key “{issued.name}”</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>
          <Stack gap="md">
            <p className={style.text}>
              Copy it now, and keep it where your server finds it. <strong>It is not shown again.</strong>
            </p>
            <ShownKey text={issued.key} onCopied={setCopied} />
            <TryIt issued={issued} />
            {isAsking && !isCopied ? (
              <Unsaved onBack={goBack} onClose={onClose} />
            ) : (
              <Group justify="flex-end">
                <Button variant={isCopied ? 'filled' : 'default'} onClick={close}>
                  Done
                </Button>
              </Group>
            )}
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function ShownKey({ text, onCopied }: { text: string; onCopied(): void }) {
  const { copy, copied } = useClipboard();
  // Only once the browser has let it: else the key would be lost.
  useEffect(() => {
    if (copied) onCopied();
  }, [copied, onCopied]);
  return (
    <div className={style.key}>
      <code data-testid="key">{text}</code>
      <Button
        size="xs"
        data-autofocus
        leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
        onClick={() => copy(text)}
      >
        {copied ? 'Copied' : 'Copy the key'}
      </Button>
    </div>
  );
}

/** A request that the key may send, to see that it works. */
function TryIt({ issued }: { issued: IssuedApiKey }) {
  if (issued.signature_required)
    return (
      <p className={style.text}>
        Requests with this key must be signed: see <a href="/docs/guides/authentication">Authentication</a>.
      </p>
    );
  const { origin } = location;
  const command = curlOf({ origin, method: 'GET', path: firstPathOf(issued), key: issued.key });
  return (
    <div>
      <p className={style.text}>Try it{isLocal(origin) ? ', in the folder where the gateway was started' : ''}:</p>
      <Command text={command} />
    </div>
  );
}

function Unsaved({ onBack, onClose }: { onBack(): void; onClose(): void }) {
  return (
    <Alert color="yellow" variant="default" role="alert" title="You have not copied the key">
      <p className={style.text}>Nobody can show it again. Without it, you need another key.</p>
      <Group justify="flex-end" gap="xs" mt="sm">
        <Button variant="default" size="xs" onClick={onClose}>
          Close without the key
        </Button>
        <Button size="xs" onClick={onBack}>
          Go back
        </Button>
      </Group>
    </Alert>
  );
}
