import { Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { Command } from '../kit/copy.tsx';
import { ShownOnce } from '../kit/shown_once.tsx';

type SecretProps = { title: string; secret: string; onClose(): void };

/** The secret of an endpoint, with the way to use it. */
export function SigningSecret({ title, secret, onClose }: SecretProps) {
  return (
    <ShownOnce title={title} name="secret" lines={[secret]} usage={<VerifySnippet />} onClose={onClose}>
      <p>
        Deliveries are signed with this secret. Store it where your receiver can read it, for example in{' '}
        <code>WEBHOOK_SECRET</code>. <strong>It is not shown again.</strong> If you lose it, rotate it.
      </p>
    </ShownOnce>
  );
}

const snippets = {
  TypeScript: `import { webhooks } from '@tollgate/node';

// The body as it was received: text or bytes, not parsed.
// The secret: the value of WEBHOOK_SECRET.
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
      <Group justify="space-between" gap={8} mb={8}>
        <Text component="h3" size="sm" fw={600}>
          Verify the signature
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={Object.keys(snippets)}
          value={language}
          onChange={(value) => setLanguage(value as keyof typeof snippets)}
        />
      </Group>
      <Command text={snippets[language]} />
      <Text size="sm" mt={8}>
        <a href="/docs/guides/webhooks#verify">How signatures work</a>
      </Text>
    </div>
  );
}
