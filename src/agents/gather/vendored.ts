/** Folders of what others wrote or a build made, and files that are called like it. */
const FOLDERS =
  /(?:^|\/)(?:node_modules|bower_components|vendor(?:ed)?|third[_-]?party|extern(?:al)?s?|dist|__generated__|\.yarn)\//i;
const MADE = /\.(?:min|bundle|generated|pb)\.\w+$|_pb2(?:_grpc)?\.\w+$/i;
/** Libraries that web pages carry along in a file of their name. */
const CARRIED =
  /(?:^|\/)(?:static|public|assets|www)\/(?:[\w.-]+\/)*(?:jquery|backbone|underscore|lodash|bootstrap|angular|ember|d3|moment|handlebars|mustache|modernizr|prototype|mootools|highlight|codemirror|select2|popper)[\w.-]*$/i;

/** Whether a file is a copy of somebody else's or made by a program, by its name and place: no one of the project reads it. */
export function isVendored(path: string): boolean {
  return FOLDERS.test(path) || MADE.test(path) || CARRIED.test(path);
}
