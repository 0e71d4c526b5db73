import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;

/** A client as it is first written: java -cp out NaiveClient [BASE_URL KEY SECRET] */
final class NaiveClient implements WebSocket.Listener {
  public static void main(String[] words) throws Exception {
    Service service = Service.of(words);
    System.out.println("BTC costs " + service.price("BTC"));
    WebSocket socket =
        Service.HTTP.newWebSocketBuilder().buildAsync(service.socketAddress(), new NaiveClient()).get();
    for (String kind : new String[] {"l2Book", "trades"})
      socket.sendText(Service.subscription(kind), true).get();
    System.out.println("connected");
    Thread.currentThread().join();
  }

  private final StringBuilder text = new StringBuilder();
  private String book;

  @Override
  public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean isLast) {
    text.append(part);
    if (isLast) {
      String frame = text.toString();
      text.setLength(0);
      if (frame.startsWith("{\"channel\":\"l2Book\"")) book = frame;
      else if (frame.startsWith("{\"channel\":\"trades\"") && book != null)
        System.out.println("order at " + Service.bestAsk(book));
    }
    socket.request(1);
    return null;
  }
}
