import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.crypto.DecryptionKeyRetriever;
import org.apache.parquet.crypto.FileDecryptionProperties;
import org.apache.parquet.example.DummyRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;

/**
 * Reads Parquet files with parquet-java. Each line of standard input is a file, and where its leaves are written to:
 * FILE, a tab, TEXT. Each is answered by a line: "ok", or what went wrong. Standard output is for nothing else.
 *
 * TEXT has a line "leaf PATH" for every column chunk, then one for every level: repetition and definition level, and the
 * value in hexadecimal digits as PLAIN has it, without the length of a byte array. Page checksums are verified, page
 * indexes are counted against each other, and every Bloom filter is asked for the values of its chunk.
 */
public class ReadLeaves {
  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] names = line.split("\t");
      String answer = "ok";
      try {
        read(names[0], names[1]);
      } catch (Throwable t) {
        answer = t.toString();
        for (Throwable cause = t.getCause(); cause != null; cause = cause.getCause()) {
          answer += ": " + cause;
        }
      }
      answers.println(answer.replace('\n', ' '));
      answers.flush();
    }
  }

  /** Gives away the key that the key metadata has in base64. */
  private static final DecryptionKeyRetriever KEYS =
      metadata -> {
        String text = new String(metadata, java.nio.charset.StandardCharsets.UTF_8);
        String wrapped = text.replaceFirst(".*\"wrappedDEK\":\"([^\"]*)\".*", "$1");
        return java.util.Base64.getDecoder().decode(wrapped);
      };

  private static void read(String file, String text) throws Exception {
    Configuration conf = new Configuration();
    HadoopReadOptions.Builder options = HadoopReadOptions.builder(conf);
    options.usePageChecksumVerification(true);
    options.withDecryption(FileDecryptionProperties.builder().withKeyRetriever(KEYS).withPlaintextFilesAllowed().build());
    HadoopInputFile input = HadoopInputFile.fromPath(new Path(file), conf);
    try (ParquetFileReader reader = ParquetFileReader.open(input, options.build());
        BufferedWriter out = Files.newBufferedWriter(Paths.get(text))) {
      MessageType schema = reader.getFooter().getFileMetaData().getSchema();
      String createdBy = reader.getFooter().getFileMetaData().getCreatedBy();
      for (BlockMetaData block : reader.getFooter().getBlocks()) {
        PageReadStore pages = reader.readNextRowGroup();
        ColumnReadStoreImpl columns =
            new ColumnReadStoreImpl(pages, new DummyRecordConverter(schema).getRootConverter(), schema, createdBy);
        for (int i = 0; i < schema.getColumns().size(); i++) {
          ColumnDescriptor column = schema.getColumns().get(i);
          ColumnChunkMetaData chunk = block.getColumns().get(i);
          checkIndexes(reader, chunk);
          out.write("leaf " + String.join(".", column.getPath()) + "\n");
          readLeaf(columns.getColumnReader(column), column, reader.readBloomFilter(chunk), out);
        }
      }
    }
  }

  private static void checkIndexes(ParquetFileReader reader, ColumnChunkMetaData chunk) throws Exception {
    OffsetIndex offsets = reader.readOffsetIndex(chunk);
    if (offsets == null) {
      throw new IllegalStateException("no offset index of " + chunk.getPath());
    }
    ColumnIndex bounds = reader.readColumnIndex(chunk);
    if (bounds != null && bounds.getNullPages().size() != offsets.getPageCount()) {
      throw new IllegalStateException("page indexes of " + chunk.getPath() + " of other lengths");
    }
  }

  private static void readLeaf(ColumnReader reader, ColumnDescriptor column, BloomFilter bloom, BufferedWriter out)
      throws Exception {
    StringBuilder line = new StringBuilder();
    for (long i = 0; i < reader.getTotalValueCount(); i++) {
      line.setLength(0);
      line.append(reader.getCurrentRepetitionLevel()).append(' ').append(reader.getCurrentDefinitionLevel()).append(' ');
      if (reader.getCurrentDefinitionLevel() == column.getMaxDefinitionLevel()) {
        appendValue(line, reader, column, bloom);
      }
      reader.consume();
      out.write(line.append('\n').toString());
    }
  }

  private static void appendValue(StringBuilder line, ColumnReader reader, ColumnDescriptor column, BloomFilter bloom) {
    long hash = 0;
    switch (column.getPrimitiveType().getPrimitiveTypeName()) {
      case BOOLEAN:
        line.append(reader.getBoolean() ? "01" : "00");
        return;
      case INT32:
        appendNumber(line, reader.getInteger(), 4);
        hash = bloom == null ? 0 : bloom.hash(reader.getInteger());
        break;
      case INT64:
        appendNumber(line, reader.getLong(), 8);
        hash = bloom == null ? 0 : bloom.hash(reader.getLong());
        break;
      case FLOAT:
        appendNumber(line, Float.floatToRawIntBits(reader.getFloat()), 4);
        hash = bloom == null ? 0 : bloom.hash(reader.getFloat());
        break;
      case DOUBLE:
        appendNumber(line, Double.doubleToRawLongBits(reader.getDouble()), 8);
        hash = bloom == null ? 0 : bloom.hash(reader.getDouble());
        break;
      default:
        Binary value = reader.getBinary();
        for (byte b : value.getBytes()) {
          line.append(String.format("%02x", b));
        }
        hash = bloom == null ? 0 : bloom.hash(value);
    }
    if (bloom != null && !bloom.findHash(hash)) {
      throw new IllegalStateException("the Bloom filter does not have " + line);
    }
  }

  /** Appends the bytes of a number, the lowest first. */
  private static void appendNumber(StringBuilder line, long number, int bytes) {
    for (int i = 0; i < bytes; i++) {
      line.append(String.format("%02x", (byte) (number >> (8 * i))));
    }
  }
}
