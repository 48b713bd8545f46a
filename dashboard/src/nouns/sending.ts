import { type RequestOptions, ResponseError, type Tollgate } from '@tollgate/node';

export type ApiRequest = { method: 'GET' | 'POST' | 'DELETE'; path: string; parameters: Record<string, unknown> };

/** An answer of the gateway, a refusal too. */
export type ApiAnswer = { status: number; requestId: string | undefined; milliseconds: number; body: unknown };

/** Sends any request as the person who has signed in, once. What does not come back from the gateway is thrown. */
export async function sendRequest(
  api: Tollgate,
  { method, path, parameters }: ApiRequest,
  options: RequestOptions = {},
): Promise<ApiAnswer> {
  let received = { status: 0, requestId: undefined as string | undefined };
  const onResponse: RequestOptions['onResponse'] = ({ status, headers }) => {
    received = { status, requestId: headers.get('Request-Id') ?? undefined };
  };
  const start = performance.now();
  const answered = (body: unknown): ApiAnswer => {
    return { ...received, milliseconds: Math.round(performance.now() - start), body };
  };
  try {
    return answered(await api.request(method, path, parameters, { ...options, maxRetries: 0, onResponse }));
  } catch (error) {
    if (error instanceof ResponseError) return answered({ error: detailsOf(error) });
    throw error;
  }
}

/** As the body of the answer has them. */
function detailsOf(error: ResponseError): object {
  const { code, message, type, param } = error;
  const { declineCode, payment, setup } = error as { declineCode?: string; payment?: string; setup?: string };
  const details = { code, message, param, type, decline_code: declineCode, payment, setup };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
