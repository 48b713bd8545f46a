import { ResponseError } from '@tollgate/node';
import { useState } from 'react';

/** Whether the code of an authenticator is asked for: once the API has required one. That it does is no failure to show. */
export function useCodeAsked(error: unknown): { isAsked: boolean; failure: unknown } {
  const isRequired = error instanceof ResponseError && error.code === 'code_required';
  const [isAsked, setAsked] = useState(false);
  if (isRequired && !isAsked) setAsked(true);
  return { isAsked, failure: isRequired ? null : error };
}
