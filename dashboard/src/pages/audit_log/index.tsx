export { AuditLogPage as Page } from './list.tsx';
