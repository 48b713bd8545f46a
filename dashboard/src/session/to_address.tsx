import { useEffect, useState } from 'react';
import { history } from './place.ts';

/** Leads to a whole address, with its account and mode, once. Within them, `Redirect` leads from page to page. */
export function ToAddress(given: { href: string }) {
  const [{ href }] = useState(given);
  useEffect(() => history.replace(href), [href]);
  return null;
}
