export { DisputePage as Detail } from './detail.tsx';
export { DisputesPage as Page } from './list.tsx';
