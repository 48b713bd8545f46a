import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Leads to another page, once. It keeps to what it was first given, because this page is rendered again on the way. */
export function Redirect(given: { to: string; search?: Record<string, string> }) {
  const navigate = useNavigate();
  const [{ to, search }] = useState(given);
  useEffect(() => void navigate({ to, search: (search ?? {}) as never, replace: true }), [navigate, to, search]);
  return null;
}
