import { Alert, Button } from '@mantine/core';
import { CardError, ResponseError } from '@tollgate/node';
import { IdLink } from './id_link.tsx';

/** The API's own words, with the id of the request for those who look into it. */
export function wordsOfError(error: unknown): { message: string; requestId?: string | undefined; payment?: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ResponseError)) return { message };
  const payment = error instanceof CardError ? error.payment : undefined;
  return { message, requestId: error.requestId, ...(payment !== undefined && { payment }) };
}

export function Failure({ error, title, onRetry }: { error: unknown; title?: string; onRetry?: () => void }) {
  const { message, requestId, payment } = wordsOfError(error);
  return (
    <Alert color="red" variant="light" title={title} role="alert" data-testid="failure">
      <p style={{ margin: 0 }}>{message}</p>
      {payment !== undefined && (
        <p style={{ margin: '0.25rem 0 0' }}>
          The payment was recorded: <IdLink id={payment} />
        </p>
      )}
      {requestId !== undefined && (
        <p style={{ margin: '0.25rem 0 0' }}>
          Request <code>{requestId}</code>
        </p>
      )}
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
