import { ServiceError } from '../../kernel/errors.ts';

/** One field of a message: an integer, or bytes that are a text, a message or packed integers. */
interface Field {
  number: number;
  /** 0 for a field of bytes. */
  value: number;
  /** Empty for an integer. */
  bytes: Uint8Array;
}

const NO_BYTES = new Uint8Array(0);
/** Bytes of the longest integer. */
const LONGEST_VARINT = 10;

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/**
 * The fields of a message in the wire format of Protocol Buffers, in their order; numbers of fixed width are left out.
 * Views, not copies.
 *
 * @throws ServiceError `bad_argument` for what is no such message.
 */
export function* fieldsOf(message: Uint8Array): Generator<Field> {
  const reader = new WireReader(message);
  while (reader.more) {
    const key = reader.varint();
    const number = Math.floor(key / 8);
    switch (key % 8) {
      case WIRE.varint:
        yield { number, value: reader.varint(), bytes: NO_BYTES };
        break;
      case WIRE.bytes:
        yield { number, value: 0, bytes: reader.take(reader.varint()) };
        break;
      case WIRE.fixed64:
        reader.take(8);
        break;
      case WIRE.fixed32:
        reader.take(4);
        break;
      default:
        throw notProtobuf();
    }
  }
}

/** Packed integers, each not negative. */
export function integersOf(bytes: Uint8Array): number[] {
  const reader = new WireReader(bytes);
  const values: number[] = [];
  while (reader.more) values.push(reader.varint());
  return values;
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get more(): boolean {
    return this.#at < this.#bytes.length;
  }

  /** Exact up to 2^53, which no field that is read here comes near. */
  varint(): number {
    let value = 0;
    let factor = 1;
    for (let step = 0; step < LONGEST_VARINT; step += 1, factor *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw notProtobuf();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw notProtobuf();
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw notProtobuf();
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function notProtobuf(): ServiceError {
  return new ServiceError('bad_argument', 'This is not a SCIP index: its bytes do not follow the format.', {
    fix: 'Send the file that an indexer wrote, usually index.scip, as it is.',
  });
}
