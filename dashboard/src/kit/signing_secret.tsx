import { Button, Group, Modal, SegmentedControl, Stack } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useState } from 'react';
import { Command } from './copy.tsx';
import { Icon } from './icon.tsx';
import style from './signing_secret.module.css';

type SecretProps = { title: string; secret: string; onClose(): void };

/** The only time that a secret is shown, with the way to use it. It does not go away by mistake. */
export function SigningSecret({ title, secret, onClose }: SecretProps) {
  const { copy, copied } = useClipboard({ timeout: Number.POSITIVE_INFINITY });
  return (
    <Modal.Root opened onClose={onClose} closeOnClickOutside={false} closeOnEscape={copied} centered size="lg">
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content>
        <div className={style.head}>
          <Modal.Title>{title}</Modal.Title>
        </div>
        <Modal.Body>
          <Stack gap="md">
            <p className={style.text}>
              Deliveries are signed with this secret. Keep it where your receiver finds it, such as{' '}
              <code>WEBHOOK_SECRET</code>. <strong>It is not shown again.</strong> Who has lost it rotates it.
            </p>
            <div className={style.secret}>
              <code data-testid="secret">{secret}</code>
              <Button
                size="xs"
                data-autofocus
                leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
                onClick={() => copy(secret)}
              >
                {copied ? 'Copied' : 'Copy the secret'}
              </Button>
            </div>
            <VerifySnippet />
            <Group justify="flex-end">
              <Button variant={copied ? 'filled' : 'default'} onClick={onClose}>
                Done
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

const snippets = {
  TypeScript: `import { webhooks } from '@tollgate/node';

// The body as it was received: text or bytes, not parsed.
// The secret: what WEBHOOK_SECRET has.
const event = await webhooks.verify(body, request.headers, secret);`,
  Python: `import hashlib, hmac, os

secret = os.environ["WEBHOOK_SECRET"].encode()
expected = hmac.new(secret, body, hashlib.sha256).hexdigest()
genuine = hmac.compare_digest(expected, headers["X-Service-Signature"])`,
  Shell: `openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r body.json
# the same as the header X-Service-Signature`,
};

/** How a receiver tells that a request is genuine. */
export function VerifySnippet() {
  const [language, setLanguage] = useState<keyof typeof snippets>('TypeScript');
  return (
    <div>
      <div className={style.snippet}>
        <h3>Verify the signature</h3>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={Object.keys(snippets)}
          value={language}
          onChange={(value) => setLanguage(value as keyof typeof snippets)}
        />
      </div>
      <Command text={snippets[language]} />
      <p className={style.text}>
        <a href="/docs/guides/webhooks#verify">What is signed, and how</a>
      </p>
    </div>
  );
}
