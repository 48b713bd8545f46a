import type { AttentionItem, WebhookEndpoint } from '@tollgate/node';
import { useRead } from '../kit/read.ts';
import type { Tone } from '../kit/status.tsx';
import { useWorkspace } from '../session/workspace.tsx';

export * from './endpoint_names.ts';

/** Why it gets nothing, in a sentence; undefined while it is enabled. */
export function whyDisabled({ status, disabled_reason }: WebhookEndpoint): string | undefined {
  if (status === 'enabled') return undefined;
  if (disabled_reason === 'gone') return 'The receiver responded with 410 Gone.';
  if (disabled_reason === 'failing') return 'Every attempt has failed for five days.';
  return 'It was disabled manually.';
}

export function endpointStatus(
  { status, disabled_reason }: WebhookEndpoint,
  trouble: AttentionItem | undefined,
): { status: string; tone: Tone } {
  if (status === 'disabled') return { status, tone: disabled_reason === undefined ? 'quiet' : 'bad' };
  return trouble === undefined ? { status, tone: 'good' } : { status: 'failing', tone: 'bad' };
}

/** The endpoints that need a person, by their ids. */
export function useTroubles() {
  const { data, isLoading } = useRead(['needs_attention', 'webhook_endpoint'], (api, options) =>
    api.needsAttention.list({ kind: 'webhook_endpoint' }, options),
  );
  return { isLoading, troubles: new Map((data?.data ?? []).map((item) => [item.id, item])) };
}

/** Every endpoint: there are at most 50. Those who may not read them get none. */
export function useEndpoints() {
  const { may } = useWorkspace();
  return useRead(['webhook_endpoints', 'all'], (api, options) => api.webhookEndpoints.list({ limit: 100 }, options), {
    isEnabled: may('webhook_endpoints.list'),
  });
}
