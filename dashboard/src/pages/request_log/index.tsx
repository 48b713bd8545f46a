export { RequestPage as Detail } from './detail.tsx';
export { RequestLogPage as Page } from './list.tsx';
