/** A page of this dashboard, whatever the address says: never one of another site. */
export function ownPath(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])/.test(to) ? to : '/';
}
