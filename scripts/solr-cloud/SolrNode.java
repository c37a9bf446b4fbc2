import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.solr.cloud.ZkConfigSetService;
import org.apache.solr.cloud.ZkTestServer;
import org.apache.solr.common.cloud.SolrZkClient;
import org.apache.solr.embedded.JettyConfig;
import org.apache.solr.embedded.JettySolrRunner;

/**
 * One node of a SolrCloud: FOLDER PORT ZOOKEEPER [NAME=CONFIG ...]. Without an address of ZooKeeper ("-") it runs one itself
 * and gives it the config sets. It says "READY <address of ZooKeeper>" when it answers, and ends when its standard input does.
 */
public class SolrNode {
  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]);
    String zookeeper = args[2].equals("-") ? zookeeper(home, Arrays.copyOfRange(args, 3, args.length)) : args[2];
    System.setProperty("zkHost", zookeeper);
    System.setProperty("hostPort", args[1]);
    System.setProperty("solr.log.dir", home.resolve("logs").toString());
    JettyConfig jetty = JettyConfig.builder().setContext("/solr").setPort(Integer.parseInt(args[1])).build();
    JettySolrRunner node = new JettySolrRunner(home.toString(), jetty);
    node.start();
    System.out.println("READY " + zookeeper);
    while (System.in.read() >= 0) {}
    Thread late = new Thread(() -> sleepThenHalt());
    late.setDaemon(true);
    late.start();
    node.stop();
    Runtime.getRuntime().halt(0);
  }

  private static String zookeeper(Path home, String[] configs) throws Exception {
    ZkTestServer server = new ZkTestServer(Files.createDirectories(home.resolve("zookeeper")));
    server.run();
    SolrZkClient client = server.getZkClient();
    for (String config : configs) {
      String[] parts = config.split("=", 2);
      new ZkConfigSetService(client).uploadConfig(parts[0], Path.of(parts[1]), false);
    }
    return server.getZkAddress();
  }

  private static void sleepThenHalt() {
    try {
      Thread.sleep(5000);
    } catch (InterruptedException e) {
      // Halted all the same.
    }
    Runtime.getRuntime().halt(0);
  }
}
