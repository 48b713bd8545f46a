import { Alert, Box, Button } from '@mantine/core';
import { CardError, ConnectionError, ResponseError, TimeoutError, UnexpectedResponseError } from '@tollgate/node';
import type { ReactNode } from 'react';
import { IdLink } from './id_link.tsx';
import { refusalInWords } from './refusal_words.ts';

/** The API's own words, with the id of the request for those who look into it. */
export function wordsOfError(error: unknown): { message: string; requestId?: string | undefined; payment?: string } {
  if (!(error instanceof ResponseError)) return { message: messageOf(error) };
  const message = refusalInWords(error);
  const payment = error instanceof CardError ? error.payment : undefined;
  return { message, requestId: error.requestId, ...(payment !== undefined && { payment }) };
}

/** For people: what a browser says of a connection names neither cause nor remedy. */
function messageOf(error: unknown): string {
  if (error instanceof TimeoutError) return 'The gateway has not answered in time.';
  if (error instanceof ConnectionError) return 'The gateway cannot be reached.';
  if (error instanceof UnexpectedResponseError)
    return `Something between this browser and the gateway has answered, with status ${error.status}.`;
  return error instanceof Error ? error.message : String(error);
}

/** Nothing was done, and nothing is in flight. After 429 and 500, or without an answer, a change may still take effect. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ResponseError && error.status < 429;
}

type FailureProps = {
  error: unknown;
  title?: string;
  /** What else to know, such as whether another try is safe. */
  children?: ReactNode;
  onRetry?: () => void;
};

export function Failure({ error, title, children, onRetry }: FailureProps) {
  const { message, requestId, payment } = wordsOfError(error);
  return (
    <Alert color="red" variant="light" title={title} role="alert" data-testid="failure">
      <p>{message}</p>
      {payment !== undefined && (
        <Box component="p" mt={4}>
          The payment was recorded: <IdLink id={payment} />
        </Box>
      )}
      {requestId !== undefined && (
        <Box component="p" mt={4}>
          Request <code>{requestId}</code>
        </Box>
      )}
      {children}
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
