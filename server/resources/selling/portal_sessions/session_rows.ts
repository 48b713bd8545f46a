/** For the pages of the portal, and for signing in by a code. */
export {
  addPortalSession,
  findByCookie,
  noteUsed,
  portalSessionsTable,
  type SeenPortalSession,
} from './store.ts';
