export { ProcessorPage as Detail } from './detail.tsx';
export { ProcessorsPage as Page } from './list.tsx';
