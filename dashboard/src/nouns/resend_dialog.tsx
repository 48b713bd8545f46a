import { Button, Select } from '@mantine/core';
import type { WebhookEndpoint } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../kit/action_dialog.tsx';
import { counted } from '../kit/counted.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { endpointName, useEndpoints } from './endpoint_words.ts';
import { eventsInWords, familyOf } from './event_types.ts';

type ResendProps = {
  event: { id: string; type: string };
  /** The endpoint to send to. Without it, the dialog offers a choice. */
  endpoint?: { id: string; url: string };
  onClose(): void;
};

const everywhere = 'all';

/** Sends an event once more: to one endpoint, or to all that would get it today. */
export function ResendDialog({ event, endpoint, onClose }: ResendProps) {
  const [chosen, setChosen] = useState<string>(endpoint?.id ?? everywhere);
  const { data } = useEndpoints();
  const enabled = (data?.data ?? []).filter(({ status }) => status === 'enabled');
  const subscribed = enabled.filter(({ enabled_events }) =>
    ['*', event.type, familyOf(event.type)].some((name) => enabled_events.includes(name)),
  );
  const named = endpoint ?? enabled.find(({ id }) => id === chosen);
  const target = named === undefined ? counted(subscribed.length, 'endpoint') : endpointName(named);
  const isPossible = named !== undefined || subscribed.length > 0;
  return (
    <ActionDialog
      title={`Resend ${event.type}`}
      confirm={`Resend ${event.type}`}
      params={isPossible ? (named === undefined ? {} : { webhook_endpoint: named.id }) : undefined}
      preview={[
        isPossible
          ? `The event is sent to ${target} now, with up to ten new attempts.`
          : 'No enabled endpoint is subscribed to it. Select one.',
        'The ID and the payload stay the same, so receivers can detect duplicates.',
      ]}
      run={(api, params, options) => api.events.resend(event.id, params, options)}
      done={() => `${event.type} resent`}
      onClose={onClose}
    >
      {endpoint === undefined && (
        <Select
          label="To"
          searchable
          nothingFoundMessage="No results"
          allowDeselect={false}
          data={[
            { value: everywhere, label: 'All enabled and subscribed endpoints' },
            ...enabled.map((one) => ({
              value: one.id,
              label: `${choiceName(one)} (${eventsInWords(one.enabled_events)})`,
            })),
          ]}
          value={chosen}
          onChange={(value) => setChosen(value ?? everywhere)}
        />
      )}
    </ActionDialog>
  );
}

/** By its description and its address: people look for either. */
const choiceName = (endpoint: WebhookEndpoint) =>
  [endpoint.description?.trim(), endpointName(endpoint)].filter(Boolean).join(' · ');

/** Beside a delivery: one click, and the dialog. */
export function ResendButton(props: Omit<ResendProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  const { may } = useWorkspace();
  if (!may('events.resend')) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        Resend
      </Button>
      {isOpen && <ResendDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
