export type Tone = 'good' | 'waiting' | 'bad' | 'quiet';

/** The statuses of all kinds of objects. One that is not here is quiet. */
const tones: Record<Exclude<Tone, 'quiet'>, readonly string[]> = {
  good: [
    'succeeded',
    'paid',
    'active',
    'won',
    'approved',
    'enabled',
    'ready',
    'delivered',
    'sent',
    'available',
    'matched',
  ],
  waiting: [
    'requires_action',
    'requires_capture',
    'processing',
    'pending',
    'open',
    'past_due',
    'trialing',
    'incomplete',
    'challenged',
    'unknown',
    'needs_response',
    'under_review',
    'advancing',
    'paused',
    'draft',
    'following_up',
    'queued',
  ],
  bad: [
    'failed',
    'bounced',
    'declined',
    'lost',
    'uncollectible',
    'unpaid',
    'disabled',
    'suspended',
    'revoked',
    'expired',
  ],
};

export function toneOf(status: string): Tone {
  return (Object.keys(tones) as (keyof typeof tones)[]).find((tone) => tones[tone].includes(status)) ?? 'quiet';
}

/** `requires_capture` becomes `Requires capture`, `api_base` becomes `API base`. */
export function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ').replaceAll(/\b(api|cvc|id|ip|url)\b/g, (letters) => letters.toUpperCase());
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** A status within a sentence: `requires capture`. */
export function statusInWords(status: string): string {
  return status.replaceAll('_', ' ');
}
