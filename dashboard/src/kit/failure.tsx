import { Alert, Button } from '@mantine/core';
import { ResponseError } from '@tollgate/node';

/** The API's own words, with the id of the request for those who look into it. */
export function wordsOfError(error: unknown): { message: string; requestId?: string | undefined } {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof ResponseError ? { message, requestId: error.requestId } : { message };
}

export function Failure({ error, title, onRetry }: { error: unknown; title?: string; onRetry?: () => void }) {
  const { message, requestId } = wordsOfError(error);
  return (
    <Alert color="red" variant="light" title={title} role="alert" data-testid="failure">
      <p style={{ margin: 0 }}>{message}</p>
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
