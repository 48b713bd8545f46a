import { Group } from '@mantine/core';
import type { Setup } from '@tollgate/node';
import { Copy } from '../kit/copy.tsx';
import { Notice } from '../kit/notice.tsx';

/** The page of the bank on which the cardholder of a payment or a setup decides. */
export function Challenge({ url, approves }: { url: string; approves: string }) {
  const isAddress = /^https?:\/\//.test(url);
  return (
    <Notice tone="waiting" title="The customer must authenticate within an hour">
      Share this link with the customer only: anyone who has it can approve {approves}.
      <Group gap={4} mt={8}>
        {isAddress && (
          <a href={url} target="_blank" rel="noreferrer noopener">
            Open the bank’s page
          </a>
        )}
        <Copy text={url} label="Copy the link" />
      </Group>
    </Notice>
  );
}

/** What a setup waits for; nothing once it has ended. */
export function SetupChallenge({ setup: { next_action } }: { setup: Setup }) {
  return next_action && <Challenge url={next_action.redirect_to_url.url} approves="later charges of the card" />;
}
